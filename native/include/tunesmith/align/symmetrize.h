// One alignment out of two directions.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tunesmith/corpus/alignment.h"

namespace tunesmith::align {

/// Links that both directions have, links that one has, and the growing between them (Och and Ney 2003;
/// Koehn, Och and Marcu 2003).
enum class Symmetrization { kIntersection, kUnion, kGrowDiag, kGrowDiagFinal, kGrowDiagFinalAnd };

/// Throws InputError for another name than intersection, union, grow-diag, grow-diag-final,
/// grow-diag-final-and.
Symmetrization symmetrization_named(std::string_view name);

/// Symmetrizes a pair; both lists and the result are sorted. As atools does it:
/// grow-diag starts from the intersection, and goes through the other links of the union in order of (source,
/// target), again and again until nothing changes, adding a link that has one of its eight neighbors, if its
/// source word or its target word has no link yet. -final goes through the forward links and then through the
/// reverse ones once, and adds a link if one of its words has none; -final-and, if both have none.
/// O(links log links) a round.
std::vector<corpus::Link> symmetrize(std::span<const corpus::Link> forward,
                                     std::span<const corpus::Link> reverse, Symmetrization method);

}  // namespace tunesmith::align
