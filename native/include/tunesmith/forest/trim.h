// Removal of edges, and of everything that no derivation of the root then uses.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// 1 for the edges that are part of a derivation of the root in which all edges have keep[e] != 0, 0 for
/// others. O(edges).
std::vector<uint8_t> useful_edges(const Forest& forest, std::span<const uint8_t> keep);

/// The forest of the useful edges. Nodes, edges and rules keep their order and unused ones are removed: its
/// edge scores are those of the useful edges in order. Empty if no derivation is left. Names are shared.
Forest trim(const Forest& forest, std::span<const uint8_t> keep);

}  // namespace tunesmith::forest
