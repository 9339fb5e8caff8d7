// Stochastic gradient ascent on several threads that share the weights without locks.
#pragma once

#include <functional>
#include <span>

#include "tunesmith/xbleu/learner.h"

namespace tunesmith::xbleu {

/// One pass over the lists of `order`, which threads take in turn; each changes the weights by its own step,
/// weights += rate * gradient, while others read and change them (Hogwild: Recht et al. 2011).
/// Lists share few sparse features, so that steps seldom collide; a collision loses a part of one. The result
/// depends on timing. No penalty, batches, AdaGrad and averages: they would change all weights at once, or
/// sums that all steps share. `poll` is called on the caller's thread and may throw, which ends the pass.
Epoch hogwild_pass(const TrainingSet& set, const LearnerOptions& options, std::span<const uint32_t> order,
                   std::span<float> weights, DenseWeights& dense, std::function<void()> poll);

}  // namespace tunesmith::xbleu
