// The best derivation of a forest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/derivation.h"
#include "tunesmith/forest/edge_scores.h"

namespace tunesmith::forest {

/// The derivation of the root with the highest score; among equals each node takes its lowest edge.
/// Throws InputError if there is none. O(edges).
Derivation viterbi(const Forest& forest, std::span<const double> scores);

/// The lowest edge of a node that has the node's best score, its beta of ViterbiSemiring.
uint32_t best_edge(const Forest& forest, const EdgeScores& scores, std::span<const double> beta,
                   uint32_t node);

/// Which edges the best derivation uses, 1 for each, and its score, without spelling it out: O(edges),
/// however long it is.
struct ViterbiEdges {
  double score;
  std::vector<uint8_t> used;
};

ViterbiEdges viterbi_edges(const Forest& forest, std::span<const double> scores);

}  // namespace tunesmith::forest
