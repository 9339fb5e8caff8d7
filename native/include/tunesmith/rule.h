// Hierarchical rules: sequences of words and gaps on both sides (Chiang 2007).
#pragma once

#include <cstdint>
#include <span>

#include "tunesmith/alignment.h"

namespace tunesmith {

/// A word number, or a gap: -1 is the first gap of the source side, -2 the second.
using Symbol = int32_t;

inline constexpr int kMaxGaps = 2;

inline bool is_gap(Symbol symbol) { return symbol < 0; }
inline Symbol gap_symbol(size_t gap) { return -1 - static_cast<Symbol>(gap); }
/// The number of a gap, from 0 on.
inline size_t gap_index(Symbol symbol) { return static_cast<size_t>(-1 - symbol); }

/// A rule; the target side names the gaps of the source side: [-2, word, -1] swaps them. The alignment
/// links positions of words, gaps counted. Views belong to whoever made the rule.
struct Rule {
  std::span<const Symbol> source;
  std::span<const Symbol> target;
  std::span<const Link> alignment;
};

/// Whether a rule begins or ends a translation, beside what it says of words: features are asked for their
/// start and their end there.
enum class Border : uint8_t { kNone, kBegin, kEnd };

/// Which rules are extracted. The defaults are Chiang's; Moses' differ: max_target_span 10,
/// min_hole 2, tight false, and fractional counts. Whatever the limits, a rule has a word on each side.
struct RuleLimits {
  int max_span = 10;        // source words that a rule and its gaps cover
  int max_target_span = 0;  // the same on the target side; 0 is without limit
  int max_symbols = 5;      // words and gaps on the source side of a rule
  int max_gaps = 2;
  int min_hole = 1;            // source words that a gap covers
  bool adjacent_gaps = false;  // gaps side by side on the source side
  bool require_link = true;    // at least one pair of aligned words
  bool tight = true;           // the outer words of initial phrases are aligned on both sides
};

/// Throws InputError, naming the limit, where no rule could meet the limits or they cannot be kept.
void check_limits(const RuleLimits& limits);

}  // namespace tunesmith
