// Which spans of a sentence the alignment allows to be phrases, as bits of the word where they begin.
#pragma once

#include <cstdint>
#include <span>

#include "tunesmith/corpus/alignment.h"

namespace tunesmith::extract::rules {

/// Bit n - 1, for n up to 31, tells that the span of n words that begins here has links and that none of its
/// partners has a link to outside of it; bit 31 tells that the word has links.
using SpanBits = uint32_t;

inline constexpr int kSpanBits = 31;
inline constexpr SpanBits kAlignedBit = SpanBits{1} << kSpanBits;

/// Whether a span of `length` words from 1 to 31 may be an initial phrase; under `tight` its outer words have
/// links. `at` is the entry of its first word.
inline bool may_be_phrase(const SpanBits* at, int length, bool tight) {
  if ((at[0] >> (length - 1) & 1) == 0) return false;
  return !tight || (at[0] & at[length - 1] & kAlignedBit) != 0;
}

/// Writes the bits of each word of one side of a sentence pair. `partner` is the length of the other side.
/// With `turned` the side is the links' target. O(31 words + links).
void mark_spans(std::span<const corpus::Link> links, size_t partner, bool turned, std::span<SpanBits> bits);

}  // namespace tunesmith::extract::rules
