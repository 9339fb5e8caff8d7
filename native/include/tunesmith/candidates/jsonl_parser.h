// Parser of candidate lists in JSON lines, one sentence per line.
#pragma once

#include <string>
#include <string_view>

#include "tunesmith/base/json_cursor.h"
#include "tunesmith/base/line_parser.h"
#include "tunesmith/candidates/builder.h"

namespace tunesmith::candidates {

/// {"id": 0, "source": "...", "references": ["..."], "hypotheses": [
///     {"text": "...", "features": {"lm": -3.1}, "scores": {"comet": 0.8}, "total": -3.1}]}
/// Only `id` and `hypotheses` are required. The first line may be {"feature_names": ["lm", ...]}, which fixes
/// the order of the features. Blank lines are skipped. Unknown and repeated keys are errors. So is null as
/// the value of a feature, unless `allow_null`: then it is NaN.
class JsonlParser : public LineParser {
 public:
  explicit JsonlParser(bool allow_null = false) : allow_null_(allow_null) {}
  PoolArrays take() { return builder_.take(); }

 protected:
  void parse_line(std::string_view line) override;
  void end() override;

 private:
  void hypothesis(JsonCursor& json);
  void feature(std::string_view name, JsonCursor& json);
  void references(JsonCursor& json);
  void feature_names(JsonCursor& json);

  bool allow_null_;
  PoolBuilder builder_;
  bool started_ = false;
};

}  // namespace tunesmith::candidates
