// Refined forests: nodes split by states, edges copied for each combination of their tails' states.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// A forest made of copies of another one's edges: edge e is a copy of `edges[e]`. It has their rules, no
/// others, and all names.
struct ForestRefinement {
  Forest forest;
  std::vector<uint32_t> edges;
};

/// How large a refined forest may grow, what the root does not reach counted too.
struct RefinementLimits {
  size_t max_nodes = 5'000'000;
  size_t max_edges = 20'000'000;
};

/// Splits the nodes of a forest one after another, from tails to heads: for each node in turn, `add` its
/// edges' copies, then `close`.
class ForestRefiner {
 public:
  ForestRefiner(const Forest& forest, const RefinementLimits& limits);

  /// A copy of an edge of the node at hand whose yield has a state; `tails` are split nodes.
  void add(uint32_t edge, uint32_t state, std::span<const uint32_t> tails);
  /// Makes a split node of each state that the node at hand has copies for, in the order in which they came.
  void close();

  /// The split nodes of a node that was closed are [first(node), first(node + 1)).
  uint32_t first(uint32_t node) const { return first_[node]; }
  uint32_t state(uint32_t split) const { return states_[split]; }

  /// The forest below a split node, without what no derivation of it uses.
  ForestRefinement below(uint32_t root) const;
  /// The forest without nodes.
  ForestRefinement none() const;

 private:
  ForestRefinement make(ForestArrays arrays, std::vector<uint32_t> edges) const;

  const Forest& forest_;
  RefinementLimits limits_;
  std::vector<uint32_t> first_{0};
  std::vector<uint32_t> states_;
  std::vector<uint32_t> edge_offsets_{0};  // of split nodes
  std::vector<uint32_t> copies_;           // the edge that each is a copy of
  Rows<uint32_t> tails_;

  // The node at hand.
  std::vector<uint32_t> new_edges_, new_slots_, new_states_;
  Rows<uint32_t> new_tails_;
  std::vector<uint32_t> slot_of_state_;
};

}  // namespace tunesmith::forest
