// The best derivation of a lattice.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tunesmith/forest/edge_scores.h"
#include "tunesmith/forest/viterbi.h"

namespace tunesmith::xbleu {

/// The edges of the derivation with the highest sum of `score(edge)`, in the order of the sentence; of equal
/// edges each node takes the first. For hypergraphs whose edges have at most one tail. O(edges).
template <forest::Hypergraph Graph, class Score>
std::vector<uint32_t> best_path(const Graph& lattice, const Score& score) {
  const auto beta = forest::inside<forest::ViterbiSemiring>(lattice, score);
  std::vector<uint32_t> edges;
  auto node = static_cast<uint32_t>(lattice.node_count() - 1);
  while (true) {
    edges.push_back(forest::best_edge(lattice, score, beta, node));
    const auto tails = lattice.tails(edges.back());
    if (tails.empty()) break;
    node = tails[0];
  }
  std::reverse(edges.begin(), edges.end());
  return edges;
}

}  // namespace tunesmith::xbleu
