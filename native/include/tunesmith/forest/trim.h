// Forests without some of their edges.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// Of the edges with keep[e] != 0, those that are in a derivation of the root made of such edges only: 1 for
/// them, 0 for others. O(edges).
std::vector<uint8_t> useful_edges(const Forest& forest, std::span<const uint8_t> keep);

/// The forest of these useful edges. Nodes, edges and rules keep their order; those that nothing uses are
/// gone, so that the scores of its edges are those of the useful ones in order. The forest is empty if no
/// derivation is left. Names are shared with the old one.
Forest trim(const Forest& forest, std::span<const uint8_t> keep);

}  // namespace tunesmith::forest
