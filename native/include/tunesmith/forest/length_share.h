// How much of a derivation's yield is below a node.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// The share of each node in the yields of derivations that use it: the middle of the shortest and the
/// longest yield below it, over that plus the middle of the least and the most words around it. 0 where
/// all these are empty, and for nodes that no derivation of the root uses. `words(edge)` tells how many words
/// an edge adds. O(edges + tails).
std::vector<double> length_shares(const Forest& forest, const std::function<size_t(uint32_t edge)>& words);

}  // namespace tunesmith::forest
