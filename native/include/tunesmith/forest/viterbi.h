// Viterbi: the best derivation of a forest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/derivation.h"
#include "tunesmith/forest/edge_scores.h"

namespace tunesmith::forest {

/// The derivation of the root with the highest score; of equal edges each node takes the lowest.
/// Throws InputError if there is none. O(edges).
Derivation viterbi(const Forest& forest, std::span<const double> scores);

/// The lowest edge of a node that attains its best score, where `beta` is the inside of ViterbiSemiring.
template <Hypergraph Graph, class Score>
uint32_t best_edge(const Graph& forest, const Score& scores, std::span<const double> beta, uint32_t node) {
  uint32_t edge = forest.first_edge(node);
  while (edge + 1 < forest.last_edge(node) && score_below(forest, scores, beta, edge) != beta[node]) ++edge;
  return edge;
}

/// Score of the best derivation and 1 for each edge that it uses. Unlike the list of its edges, O(edges)
/// however long the derivation is.
struct ViterbiEdges {
  double score;
  std::vector<uint8_t> used;
};

ViterbiEdges viterbi_edges(const Forest& forest, std::span<const double> scores);

}  // namespace tunesmith::forest
