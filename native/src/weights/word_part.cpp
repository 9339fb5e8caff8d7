#include "tunesmith/weights/word_part.h"

#include <algorithm>

namespace tunesmith::weights {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hexadecimal(char c) { return is_digit(c) || (c >= 'A' && c <= 'F'); }

/// Whether a name may have this text as something else than a word.
bool has_meaning(std::string_view word) {
  switch (word.front()) {
    case 'X':
      return word.size() > 1 && std::ranges::all_of(word.substr(1), is_digit);
    case 'O':
      return word == "OTHER";
    case '~':
      return word.size() == 1;
    case '<':
      return word == "<s>" || word == "</s>";
    default:
      return false;
  }
}

/// Whether the byte at a position must be written by its digits, wherever it stands.
bool is_coded(std::string_view word, size_t at) {
  if (word[at] == '_') return true;
  return word[at] == '%' && at + 2 < word.size() && is_hexadecimal(word[at + 1]) &&
         is_hexadecimal(word[at + 2]);
}

void append_code(char byte, std::string& name) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const auto value = static_cast<unsigned char>(byte);
  name += '%';
  name += kDigits[value >> 4];
  name += kDigits[value & 15];
}

}  // namespace

bool is_plain_word(std::string_view word) {
  if (word.empty()) return true;
  if (has_meaning(word)) return false;
  for (size_t at = word.find('%'); at != word.npos; at = word.find('%', at + 1))
    if (is_coded(word, at)) return false;
  return word.find('_') == word.npos;
}

void append_word_part(std::string_view word, std::string& name) {
  if (is_plain_word(word)) {
    name += word;
    return;
  }
  const bool is_meant = has_meaning(word);
  for (size_t at = 0; at < word.size(); ++at)
    if ((at == 0 && is_meant) || is_coded(word, at))
      append_code(word[at], name);
    else
      name += word[at];
}

}  // namespace tunesmith::weights
