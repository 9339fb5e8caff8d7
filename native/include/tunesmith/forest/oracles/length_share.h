// Share of a node in the length of a derivation's yield.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest::oracles {

/// below / (below + around) for each node, where `below` is the mean of the shortest and the longest yield of
/// the node, and `around` the mean of the smallest and the largest number of words outside of it in
/// derivations that use it. 0 if all these are empty, and for nodes that no derivation of the root uses.
/// `words(edge)` is the number of words that an edge adds. O(edges + tails).
std::vector<double> length_shares(const Forest& forest, const std::function<size_t(uint32_t edge)>& words);

}  // namespace tunesmith::forest::oracles
