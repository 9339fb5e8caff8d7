// Forced decoding on a forest: the derivations that yield a given target. The intersection of a grammar with
// an automaton (Bar-Hillel, Perles and Shamir 1961), as a second parse (Dyer 2010).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tunesmith/forest/refinement.h"

namespace tunesmith::forest {

/// The derivations whose yield is the given words, or (`prefix`) begins with them; an empty forest if there
/// are none. A split node is a node with the target span of its yield; any words may follow a prefix. Nodes
/// that occur only at the left (right) end of yields are tried at the first (last) position only, so that
/// lattices take at most O(edges * positions); in general time is the number of ways in which edges match, at
/// most O(edges * positions^(tails + 1)).
ForestRefinement intersect_target(const Forest& forest, const std::vector<std::string_view>& target,
                                  bool prefix, const RefinementLimits& limits);

}  // namespace tunesmith::forest
