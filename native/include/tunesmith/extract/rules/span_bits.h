// Precomputed consistency of spans with the alignment, as one bit mask per word where spans begin.
#pragma once

#include <cstdint>
#include <span>

#include "tunesmith/corpus/alignment.h"

namespace tunesmith::extract::rules {

/// Bit n - 1, for n up to 31: the span of n words that begins here has links, and none of its partners is
/// linked to a word outside of it. Bit 31: the word is aligned.
using SpanBits = uint32_t;

inline constexpr int kSpanBits = 31;
inline constexpr SpanBits kAlignedBit = SpanBits{1} << kSpanBits;

/// Whether a span of `length` words (1 to 31) may be an initial phrase; with `tight` its outer words must be
/// aligned. `at` points to the bits of its first word.
inline bool may_be_phrase(const SpanBits* at, int length, bool tight) {
  if ((at[0] >> (length - 1) & 1) == 0) return false;
  return !tight || (at[0] & at[length - 1] & kAlignedBit) != 0;
}

/// Computes the bits of each word of one side of a sentence pair: the source side of the links or, with
/// `turned`, the target side. `partner` is the length of the other side. O(31 words + links).
void mark_spans(std::span<const corpus::Link> links, size_t partner, bool turned, std::span<SpanBits> bits);

}  // namespace tunesmith::extract::rules
