// Oracle derivation by linear BLEU (Tromble et al. 2008).
#pragma once

#include <span>

#include "tunesmith/base/texts.h"
#include "tunesmith/forest/derivation.h"
#include "tunesmith/forest/refinement.h"

namespace tunesmith::forest::oracles {

/// argmax of sum of edge scores + theta_0 * words + sum over n of theta_n * (n-grams of the yield that some
/// reference has, not clipped). `thetas` are theta_0 to theta_N. Exact: Viterbi over the forest with nodes
/// split by the part of their contexts that can belong to a match. Edges of minus infinity are forbidden.
/// Throws InputError if there is no derivation.
Derivation linear_bleu_oracle(const Forest& forest, const Texts& references, std::span<const double> thetas,
                              std::span<const double> scores, const RefinementLimits& limits);

}  // namespace tunesmith::forest::oracles
