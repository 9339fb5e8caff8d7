// Parser of Moses search graphs, plain (-osg) or extended (-osgx): one hypothesis per line.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "tunesmith/base/line_parser.h"
#include "tunesmith/forest/draft.h"

namespace tunesmith::forest::formats {

/// `SID hyp=N stack=K back=P score=S transition=T [recombined=R] forward=F fscore=G covered=i-j out=words`
///
/// A hypothesis is a node with an edge from its predecessor; a recombined one is a further edge into the node
/// that it was recombined with. Complete ones (forward=-1 and the largest number of words covered) have edges
/// to a root. Hypotheses that lead to no complete one are dropped. The extended form has
/// `scores="core=(v,v) name=v Name= v v"` and `out="source words|target words"`; without scores the
/// transition is the only feature.
class SearchGraphParser : public LineParser {
 public:
  /// Moves out the forests of the sentences read so far, with their ids.
  std::vector<std::pair<std::string, Forest>> take() { return std::exchange(forests_, {}); }

 protected:
  void parse_line(std::string_view line) override;
  void end() override { close_sentence(); }

 private:
  struct Hypothesis {
    int64_t number = 0, back = -1, recombined = -1, stack = 0;
    bool complete = false;
  };

  void parse_fields(std::string_view line, Hypothesis& hypothesis);
  void parse_out(std::string_view words, bool extended);
  void parse_scores(std::string_view text);
  uint32_t node_of(int64_t number, const Hypothesis& from) const;
  void close_sentence();

  std::string sentence_;
  bool open_ = false;
  std::unordered_set<std::string> ended_;
  ForestDraft draft_;  // edge i is of hypothesis i
  std::vector<Hypothesis> hypotheses_;
  std::unordered_map<int64_t, uint32_t> by_number_;
  std::vector<grammar::Symbol> source_, target_;
  std::vector<std::pair<std::string, Forest>> forests_;
};

}  // namespace tunesmith::forest::formats
