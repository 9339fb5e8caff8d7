// The best derivation of a forest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/derivation.h"

namespace tunesmith {

/// The derivation of the root with the highest score; among equals each node takes its lowest edge.
/// Throws InputError if there is none. O(edges).
Derivation viterbi(const Forest& forest, std::span<const double> scores);

/// Which edges it uses, 1 for each, and its score, without spelling it out: O(edges), however long it is.
struct ViterbiEdges {
  double score;
  std::vector<uint8_t> used;
};

ViterbiEdges viterbi_edges(const Forest& forest, std::span<const double> scores);

}  // namespace tunesmith
