// The part of a forest that yields a given target: forced decoding on a forest. The intersection of a grammar
// with an automaton (Bar-Hillel, Perles and Shamir 1961), as a second parse (Dyer 2010).
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tunesmith/forest/refinement.h"

namespace tunesmith::forest {

/// The derivations whose yield is the given words, or (`prefix`) begins with them; no nodes where there are
/// none. A split node is a node with the positions of the target where its yield begins and ends; at the
/// end of a prefix, any words are free. Nodes at the left (right) border of all yields are tried at the
/// first (last) position only, so that lattices take O(edges * positions) at most; in general it is the
/// number of ways in which edges fit, at most O(edges * positions^(tails + 1)).
ForestRefinement intersect_target(const Forest& forest, const std::vector<std::string_view>& target,
                                  bool prefix, const RefinementLimits& limits);

}  // namespace tunesmith::forest
