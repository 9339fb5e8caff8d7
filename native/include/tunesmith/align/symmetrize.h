// Symmetrization of the word alignments of two directions.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tunesmith/corpus/alignment.h"

namespace tunesmith::align {

/// Intersection, union, and heuristics in between (Och and Ney 2003; Koehn, Och and Marcu 2003).
enum class Symmetrization { kIntersection, kUnion, kGrowDiag, kGrowDiagFinal, kGrowDiagFinalAnd };

/// By name: intersection, union, grow-diag, grow-diag-final or grow-diag-final-and; others are an InputError.
Symmetrization symmetrization_named(std::string_view name);

/// Symmetrizes a sentence pair; both inputs and the result are sorted. As in atools:
/// grow-diag starts from the intersection and repeats passes over the other links of the union, in order of
/// (source, target), until nothing changes; it adds a link if one of its eight neighbors is chosen and its
/// source or target word is unaligned. -final then makes one pass over the forward links and one over the
/// reverse links, and adds a link if one of its words is unaligned; -final-and, if both are. O(links log
/// links) per pass.
std::vector<corpus::Link> symmetrize(std::span<const corpus::Link> forward,
                                     std::span<const corpus::Link> reverse, Symmetrization method);

}  // namespace tunesmith::align
