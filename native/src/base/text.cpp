#include "tunesmith/base/text.h"

#include <cstring>

namespace tunesmith {

namespace {

/// Reads the code point at `at` of valid UTF-8 and moves past it.
char32_t next_character(std::string_view text, size_t& at) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  const size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (length == 1 || at + length > text.size()) return byte(at++);
  char32_t character = lead & (0x7f >> length);
  for (size_t i = 1; i < length; ++i) character = (character << 6) | (byte(at + i) & 0x3f);
  at += length;
  return character;
}

}  // namespace

bool is_space(char32_t c) {
  if (c < 0x80) return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20);
  return c == 0x85 || c == 0xa0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 ||
         c == 0x2029 || c == 0x202f || c == 0x205f || c == 0x3000;
}

void split_words(std::string_view text, std::vector<std::string_view>& words) {
  words.clear();
  size_t start = 0, at = 0;
  while (at < text.size()) {
    const size_t before = at;
    if (is_space(next_character(text, at))) {
      if (before > start) words.push_back(text.substr(start, before - start));
      start = at;
    }
  }
  if (text.size() > start) words.push_back(text.substr(start));
}

void decode_utf8(std::string_view text, std::vector<char32_t>& characters) {
  characters.clear();
  for (size_t at = 0; at < text.size();) characters.push_back(next_character(text, at));
}

size_t find_invalid_utf8(std::string_view text) {
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  const size_t size = text.size();
  size_t at = 0;
  while (at < size) {
    if (at + 8 <= size) {  // eight ASCII bytes at a time
      uint64_t word;
      std::memcpy(&word, bytes + at, 8);
      if ((word & 0x8080808080808080ULL) == 0) {
        at += 8;
        continue;
      }
    }
    const unsigned char lead = bytes[at];
    if (lead < 0x80) {
      ++at;
      continue;
    }
    size_t length = 0;
    uint32_t lowest = 0;
    if (lead >= 0xc2 && lead <= 0xdf) {
      length = 2, lowest = 0x80;
    } else if (lead >= 0xe0 && lead <= 0xef) {
      length = 3, lowest = 0x800;
    } else if (lead >= 0xf0 && lead <= 0xf4) {
      length = 4, lowest = 0x10000;
    } else {
      return at;
    }
    if (at + length > size) return at;
    uint32_t character = lead & (0x7f >> length);
    for (size_t i = 1; i < length; ++i) {
      if ((bytes[at + i] & 0xc0) != 0x80) return at;
      character = (character << 6) | (bytes[at + i] & 0x3f);
    }
    const bool surrogate = character >= 0xd800 && character <= 0xdfff;
    if (character < lowest || character > 0x10ffff || surrogate) return at;
    at += length;
  }
  return std::string_view::npos;
}

uint64_t hash_bytes(std::string_view bytes) {
  uint64_t hash = 0x9ae16a3b2f90404fULL ^ bytes.size();
  size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    uint64_t word;
    std::memcpy(&word, bytes.data() + at, 8);
    hash = mix(hash, word);
  }
  uint64_t tail = 0;
  for (size_t shift = 0; at < bytes.size(); ++at, shift += 8)
    tail |= static_cast<uint64_t>(static_cast<unsigned char>(bytes[at])) << shift;
  return mix(hash, tail);
}

}  // namespace tunesmith
