// The cost of reordering by distance: what the feature Distortion counts.
#pragma once

#include <algorithm>
#include <cstdint>

#include "tunesmith/base/range.h"
#include "tunesmith/corpus/word_lattice.h"

namespace tunesmith::decode {

enum class DistortionCost {
  kJump,   // source words that a step jumps over, in either direction (Koehn, Och and Marcu 2003)
  kEarly,  // twice the words skipped and covered beyond the first gap (Moore and Quirk 2007)
};

/// The cost of translating a range after a hypothesis whose first uncovered column is `first_gap` and whose
/// last phrase ends before the column `last_end`. The value of the feature is its negative.
///
/// An early cost is paid when words are skipped, not when the search jumps back to them: 0 at the first gap;
/// otherwise twice the length of the range and of the columns newly skipped, those between it and the last
/// phrase, or the first gap if that is farther right. A range left of the last phrase skips nothing new. As
/// in Moses, columns are counted, also those of lattices.
inline uint32_t distortion_cost(DistortionCost cost, const corpus::WordLattice& input, uint32_t first_gap,
                                uint32_t last_end, Range range) {
  if (cost == DistortionCost::kJump) return input.distance(last_end, range.begin);
  if (range.begin == first_gap) return 0;
  const uint32_t skipped = range.end < last_end ? 0 : range.begin - std::max(first_gap, last_end);
  return 2 * (skipped + range.size());
}

}  // namespace tunesmith::decode
