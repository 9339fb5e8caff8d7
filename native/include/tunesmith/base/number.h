// Numbers in text, read and written so that a value survives the round trip bit for bit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tunesmith {

/// The nearest double, or nothing if the whole of `text` is not a decimal number. `nan`, `inf` and
/// numbers too large are numbers, but not finite: callers decide. Numbers too small become zero.
std::optional<double> parse_number(std::string_view text);

/// Appends the shortest decimal that reads back as the same double.
void append_number(double value, std::string& out);

}  // namespace tunesmith
