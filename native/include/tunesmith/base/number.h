// Decimal text to double and back, exact in both directions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tunesmith {

/// The nearest double; nothing unless all of `text` is a decimal number. `nan`, `inf` and overflow are
/// returned as non-finite values, for the caller to accept or reject; underflow gives zero.
std::optional<double> parse_number(std::string_view text);

/// Appends the shortest decimal that reads back as the same double.
void append_number(double value, std::string& out);

}  // namespace tunesmith
