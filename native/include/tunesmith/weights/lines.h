// Weights as text: a line per feature, as in cdec's weights and Moses' sparse weights.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/line_parser.h"
#include "tunesmith/weights/store.h"

namespace tunesmith::weights {

/// Reads `name value`, `name=value`, `name = value` and Moses' `Label= v v v` (the features `Label_0`,
/// `Label_1`, ...), separated by blanks and tabs; `#` starts a comment line. A repeated name and a value that
/// is not a finite decimal number are errors.
class WeightLineParser : public LineParser {
 public:
  const WeightStore& store() const { return store_; }
  /// Moves the weights out; the parser must have ended.
  WeightStore take() { return std::move(store_); }

 protected:
  void parse_line(std::string_view line) override;
  bool may_be_empty() const override { return true; }

 private:
  void add(std::string_view name, std::string_view value);

  WeightStore store_;
  std::vector<std::string_view> tokens_;
};

/// Appends the lines `name value` of features [begin, end) to a text; values read back as the same doubles.
void append_lines(const WeightStore& store, size_t begin, size_t end, std::string& text);

}  // namespace tunesmith::weights
