// Hierarchical rules: words and gaps (nonterminals) on both sides (Chiang 2007).
#pragma once

#include <cstdint>
#include <span>

#include "tunesmith/corpus/alignment.h"

namespace tunesmith::grammar {

/// A word number, or a gap: -1 is the first gap of the source side, -2 the second.
using Symbol = int32_t;

inline constexpr int kMaxGaps = 2;

inline bool is_gap(Symbol symbol) { return symbol < 0; }
inline Symbol gap_symbol(size_t gap) { return -1 - static_cast<Symbol>(gap); }
/// The 0-based number of a gap.
inline size_t gap_index(Symbol symbol) { return static_cast<size_t>(-1 - symbol); }

/// A synchronous rule. The target side refers to the gaps of the source side: [-2, word, -1] swaps them. The
/// alignment links positions of words, where gaps count as positions. The spans are not owned.
struct Rule {
  std::span<const Symbol> source;
  std::span<const Symbol> target;
  std::span<const corpus::Link> alignment;
};

/// Whether a rule begins or ends a translation: there stateful features score the sentence's begin or end.
enum class Border : uint8_t { kNone, kBegin, kEnd };

}  // namespace tunesmith::grammar
