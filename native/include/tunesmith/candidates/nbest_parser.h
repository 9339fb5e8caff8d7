// Parser of decoders' n-best lists: one candidate per line, fields separated by `|||`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/line_parser.h"
#include "tunesmith/candidates/builder.h"

namespace tunesmith::candidates {

/// Position and syntax of the features:
///   moses      ID ||| text ||| Label= v v v name= v ||| total [||| ...]
///   moses_old  ID ||| text ||| label: v v label: v ||| total [||| ...]
///   cdec       ID ||| text ||| name=v name=v ||| total [||| ...]        (Joshua too)
///   travatar   ID ||| text ||| total ||| name=v name=v [||| ...]
enum class NbestStyle { moses, moses_old, cdec, travatar };

/// IDs are whole numbers from 0; lines with the same ID are consecutive. A label with one value is the
/// feature `Label`, with several values the features `Label_0`, `Label_1`, ...; their number must not change.
/// The last `=` of name=v is the separator. The text is trimmed. All lines may omit the total (not in
/// travatar).
class NbestParser : public LineParser {
 public:
  explicit NbestParser(NbestStyle style) : style_(style) {}
  PoolArrays take() { return builder_.take(); }

 protected:
  void parse_line(std::string_view line) override;
  void end() override { builder_.end_list(id_); }

 private:
  struct Label {
    int32_t first_column;
    size_t values;
  };

  void begin_candidate(std::string_view id);
  void parse_labels(std::string_view field, char mark);
  void parse_pairs(std::string_view field);
  void add_label(std::string_view name, size_t position);
  Label new_label(std::string_view name);

  NbestStyle style_;
  PoolBuilder builder_;
  std::vector<std::string_view> fields_;
  std::string id_;
  NameTable label_names_;
  std::vector<Label> labels_;
  std::vector<int32_t> label_order_;  // of the previous line: most lines repeat it
  std::vector<double> values_;        // of one label
};

}  // namespace tunesmith::candidates
