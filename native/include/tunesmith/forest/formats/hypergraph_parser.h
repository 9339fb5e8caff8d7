// Parser of Moses hypergraphs: one file per sentence, nodes bottom-up, the last one the root.
#pragma once

#include "tunesmith/base/line_parser.h"
#include "tunesmith/forest/draft.h"

namespace tunesmith::forest::formats {

/// After `# target ||| features ||| source-covered` and a line `NODES EDGES`, each node is the number of its
/// in-edges, then one line per edge, `words and [node] ||| name=v name=v ||| covered`. Other lines that begin
/// with # are comments, except among edges.
class HypergraphParser : public LineParser {
 public:
  /// Moses writes `<s>` and `</s>` as words; they are removed unless `keep_boundaries`.
  explicit HypergraphParser(bool keep_boundaries = false) : keep_boundaries_(keep_boundaries) {}
  /// The forest, once the parser has finished.
  Forest take() { return draft_.take(); }

 protected:
  void parse_line(std::string_view line) override;
  void end() override;

 private:
  void parse_counts(std::string_view line);
  void parse_edge(std::string_view line);
  void parse_target(std::string_view text);

  enum class State { kHeader, kCounts, kNodes } state_ = State::kHeader;
  bool keep_boundaries_;
  uint64_t nodes_ = 0, edges_ = 0;
  uint64_t edges_left_ = 0;  // of the open node
  ForestDraft draft_;
  std::vector<grammar::Symbol> target_;
  std::vector<uint32_t> tails_;
};

}  // namespace tunesmith::forest::formats
