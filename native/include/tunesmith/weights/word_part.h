// A word as a part of a feature's name: parts are joined by underscores, and some texts are not words.
#pragma once

#include <string>
#include <string_view>

namespace tunesmith::weights {

/// Whether a word stands in names as it is.
bool is_plain_word(std::string_view word);

/// Appends a word to a name so that different words stay different, and none reads as what is not a word.
/// Bytes are written as % and two hexadecimal digits: each underscore; a % that such digits follow; and the
/// first byte of a word that has a meaning of its own in names: `~`, `<s>`, `</s>`, `OTHER`, and X with
/// digits, as of gaps. All other words stay as they are.
void append_word_part(std::string_view word, std::string& name);

}  // namespace tunesmith::weights
