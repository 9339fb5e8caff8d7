// UTF-8 text: splitting into words as Python's str.split() does, decoding, validation, hashing.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace tunesmith {

/// Splits UTF-8 text at runs of Unicode white space, so that word counts equal those of other tools.
void split_words(std::string_view text, std::vector<std::string_view>& words);

/// Decodes valid UTF-8 to code points.
void decode_utf8(std::string_view text, std::vector<char32_t>& characters);

bool is_space(char32_t character);

/// Position of the first byte that is not valid UTF-8, or npos.
size_t find_invalid_utf8(std::string_view text);

/// 64-bit hash of bytes (not cryptographic), the same on every machine.
uint64_t hash_bytes(std::string_view bytes);

/// Mixes a value into a running hash.
inline uint64_t mix(uint64_t hash, uint64_t value) {
  hash ^= value + 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2);
  hash *= 0xff51afd7ed558ccdULL;
  return hash ^ (hash >> 33);
}

}  // namespace tunesmith
