// Pieces of a bad input, made fit for an error message.
#pragma once

#include <string>
#include <string_view>

namespace tunesmith {

/// 'text' in quotes: control characters as \xNN, cut after 60 bytes at a character's border. Bytes
/// that are not UTF-8 are shown as \xNN too, so that the result always is.
std::string quoted(std::string_view text);

}  // namespace tunesmith
