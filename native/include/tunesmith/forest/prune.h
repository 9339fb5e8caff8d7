// Forest pruning by max-marginals (Sixtus and Ortmanns 1999 for word graphs; Huang 2008 for forests),
// posteriors or number of edges.
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
  double beam = std::numeric_limits<double>::infinity();  // largest loss of its best derivation
  double posterior = 0;                                   // smallest posterior
  size_t edges = std::numeric_limits<size_t>::max();      // number of edges, by their best derivations
};

/// 1 for the edges to keep, each part of a derivation of kept edges. Ties between best derivations are broken
/// by edge number; edges that no derivation of the root uses, or only forbidden ones, are never kept. The
/// beam has a tolerance of 1e-9 relative to the best score, and log posteriors one relative to log Z. Throws
/// InputError if there is no derivation. O(edges log edges).
std::vector<uint8_t> pruned_edges(const Forest& forest, std::span<const double> scores,
                                  const PruneLimits& limits);

}  // namespace tunesmith::forest
