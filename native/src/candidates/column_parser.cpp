#include "tunesmith/candidates/column_parser.h"

#include <cmath>
#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/number.h"
#include "tunesmith/base/quote.h"

namespace tunesmith::candidates {

void NumberParser::parse_line(std::string_view line) {
  constexpr std::string_view kBlanks = " \t";
  const size_t before = values_.size();
  for (size_t begin = 0; (begin = line.find_first_not_of(kBlanks, begin)) != std::string_view::npos;) {
    const size_t end = std::min(line.find_first_of(kBlanks, begin), line.size());
    const std::string_view token = line.substr(begin, end - begin);
    const auto value = parse_number(token);
    if (!value || !std::isfinite(*value))
      throw InputError("found " + quoted(token) + "; expected a finite number");
    values_.push_back(*value);
    begin = end;
  }
  const size_t count = values_.size() - before;
  if (width_ == 0) width_ = count;
  if (count == 0) throw InputError("found an empty line; expected numbers");
  if (count != width_)
    throw InputError("found " + std::to_string(count) + " numbers; expected " + std::to_string(width_) +
                     ", as on the lines before");
}

}  // namespace tunesmith::candidates
