// Refinement of a forest: nodes are split by state, edges copied for each combination of their tails' states.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// A forest of copies of another forest's edges: edge e is a copy of `edges[e]`. It has only the rules in
/// use, and all names.
struct ForestRefinement {
  Forest forest;
  std::vector<uint32_t> edges;
};

/// Largest size of a refined forest, including what the root does not reach.
struct RefinementLimits {
  size_t max_nodes = 5'000'000;
  size_t max_edges = 20'000'000;
};

/// Splits the nodes of a forest in topological order: for each node in turn, `add` the copies of its edges,
/// then `close`.
class ForestRefiner {
 public:
  ForestRefiner(const Forest& forest, const RefinementLimits& limits);

  /// Adds a copy of an edge of the current node with the state of its yield; `tails` are split nodes.
  void add(uint32_t edge, uint32_t state, std::span<const uint32_t> tails);
  /// Makes one split node per state of the current node's copies, in the order of first occurrence.
  void close();

  /// The split nodes of a closed node are [first(node), first(node + 1)).
  uint32_t first(uint32_t node) const { return first_[node]; }
  uint32_t state(uint32_t split) const { return states_[split]; }

  /// The forest whose root is a split node, without unused nodes and edges.
  ForestRefinement below(uint32_t root) const;
  /// The empty forest.
  ForestRefinement none() const;

 private:
  ForestRefinement make(ForestArrays arrays, std::vector<uint32_t> edges) const;

  const Forest& forest_;
  RefinementLimits limits_;
  std::vector<uint32_t> first_{0};
  std::vector<uint32_t> states_;
  std::vector<uint32_t> edge_offsets_{0};  // of split nodes
  std::vector<uint32_t> copies_;           // the edge of which each is a copy
  Rows<uint32_t> tails_;

  // The current node.
  std::vector<uint32_t> new_edges_, new_slots_, new_states_;
  Rows<uint32_t> new_tails_;
  std::vector<uint32_t> slot_of_state_;
};

}  // namespace tunesmith::forest
