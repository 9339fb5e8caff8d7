// Parsers of column files: one text per line, or rows of numbers.
#pragma once

#include <string_view>
#include <vector>

#include "tunesmith/base/line_parser.h"
#include "tunesmith/base/name_table.h"

namespace tunesmith::candidates {

/// Every line is a text, unchanged.
class TextParser : public LineParser {
 public:
  TextColumn take() { return std::move(texts_); }

 protected:
  void parse_line(std::string_view line) override { texts_.add(line); }

 private:
  TextColumn texts_;
};

/// Every line has the same number of finite numbers, separated by blanks.
class NumberParser : public LineParser {
 public:
  size_t width() const { return width_; }
  std::vector<double> take() { return std::move(values_); }

 protected:
  void parse_line(std::string_view line) override;

 private:
  size_t width_ = 0;
  std::vector<double> values_;
};

}  // namespace tunesmith::candidates
