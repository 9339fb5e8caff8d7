// Sampling of derivations from p(d) = exp(score(d)) / Z, top-down by inside weights (Johnson, Griffiths and
// Goldwater 2007).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/derivation.h"

namespace tunesmith::forest {

/// Draws independent derivations of the root. From the root down, each node draws an in-edge e with
/// probability p(e | head). Draw i has its own random stream, seeded by (seed, i): it depends neither on the
/// number of threads nor of draws. O(edges + total length x log of in-edges). Throws InputError if there is
/// no derivation.
std::vector<Derivation> sample_derivations(const Forest& forest, std::span<const double> scores, size_t count,
                                           uint64_t seed, int threads);

}  // namespace tunesmith::forest
