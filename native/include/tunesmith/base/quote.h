// Quoting of input text in error messages.
#pragma once

#include <string>
#include <string_view>

namespace tunesmith {

/// `text` in single quotes, truncated to 60 bytes at a character boundary. Control characters and bytes that
/// are not UTF-8 are written as \xNN, so that the result is always valid UTF-8.
std::string quoted(std::string_view text);

}  // namespace tunesmith
