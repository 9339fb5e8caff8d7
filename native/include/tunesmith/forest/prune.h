// Which edges of a forest are worth keeping. Max-marginal pruning (Sixtus and Ortmanns 1999 for word graphs;
// Huang 2008 for forests).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// An edge is kept if it passes every limit. The edges of the Viterbi derivation are always kept.
struct PruneLimits {
  double beam = std::numeric_limits<double>::infinity();  // its best derivation is at most so much worse
  double posterior = 0;                                   // its posterior is at least this
  size_t edges = std::numeric_limits<size_t>::max();      // it is among so many with the best derivations
};

/// 1 for the edges to keep, all of them in derivations of kept ones. Of edges whose best derivations have
/// equal scores the lower number goes first; edges that no derivation of the root uses, or only forbidden
/// ones, are never kept. Scores within 1e-9 of the beam, relative to the best, are within it; so are
/// logs of posteriors, relative to log Z. Throws InputError if there is no derivation. O(edges log edges).
std::vector<uint8_t> pruned_edges(const Forest& forest, std::span<const double> scores,
                                  const PruneLimits& limits);

}  // namespace tunesmith::forest
