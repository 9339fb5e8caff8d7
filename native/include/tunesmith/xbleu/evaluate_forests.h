// What weights of a reordering model make of forests that they were not trained on.
#pragma once

#include <span>

#include "tunesmith/xbleu/evaluate.h"
#include "tunesmith/xbleu/forest_posteriors.h"

namespace tunesmith::xbleu {

/// Posteriors are p(d) = exp(gamma * score(d)) / Z over derivations. The entropy is relative to that of even
/// posteriors, the log of the number of derivations, in forests that have more than one; expected statistics
/// have matches that are not clipped. The set must be one for evaluation. O(edges + features).
Evaluation evaluate(const ForestSet& set, std::span<const float> weights, double gamma);

/// Mean over the forests of the objective, and its gradient by the weights, added up in double precision: for
/// tests of the learner, and for batch methods.
double gradient_of(const ForestSet& set, std::span<const float> weights, ListObjective objective,
                   double gamma, std::span<double> gradient);

/// The statistics of the best derivation of a forest under its own scores.
BleuStatistics best_statistics(const EventForest& forest, const EventTexts& texts);

}  // namespace tunesmith::xbleu
