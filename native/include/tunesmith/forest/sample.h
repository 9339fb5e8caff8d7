// Random derivations: p(d) = exp(score(d)) / Z. Top-down sampling by inside weights (Johnson, Griffiths and
// Goldwater 2007).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/derivation.h"

namespace tunesmith::forest {

/// Draws derivations of the root, independently. From the root down each node draws an in-edge by the share
/// of its derivations in the node's inside weight. Draw i has a random stream of its own, made of (seed, i):
/// neither threads nor the number of draws change it. O(edges + total length x log of in-edges). Throws
/// InputError if there is no derivation.
std::vector<Derivation> sample_derivations(const Forest& forest, std::span<const double> scores, size_t count,
                                           uint64_t seed, int threads);

}  // namespace tunesmith::forest
