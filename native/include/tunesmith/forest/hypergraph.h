// Hypergraph: what recursions need of a forest, as a C++20 concept, and a view that satisfies it.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tunesmith/base/rows.h"

namespace tunesmith::forest {

/// Nodes in topological order, tails before heads, the root last; node n has the in-edges
/// [first_edge(n), last_edge(n)). `Forest` is one, and so are the compiled forests of learners.
template <class Graph>
concept Hypergraph = requires(const Graph& graph, uint32_t number) {
  { graph.node_count() } -> std::convertible_to<size_t>;
  { graph.first_edge(number) } -> std::convertible_to<uint32_t>;
  { graph.last_edge(number) } -> std::convertible_to<uint32_t>;
  { graph.tails(number) } -> std::convertible_to<std::span<const uint32_t>>;
};

/// A hypergraph whose arrays are stored elsewhere, such as in a block of packed arrays.
struct HypergraphView {
  std::span<const uint32_t> edge_offsets;  // of nodes
  RowsView<uint32_t> edge_tails;

  size_t node_count() const { return edge_offsets.size() - 1; }
  size_t edge_count() const { return edge_tails.size(); }
  uint32_t first_edge(uint32_t node) const { return edge_offsets[node]; }
  uint32_t last_edge(uint32_t node) const { return edge_offsets[node + 1]; }
  std::span<const uint32_t> tails(uint32_t edge) const { return edge_tails[edge]; }
};

}  // namespace tunesmith::forest
