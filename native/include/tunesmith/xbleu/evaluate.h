// What weights of a reordering model make of lists that they were not trained on.
#pragma once

#include <array>
#include <span>

#include "tunesmith/xbleu/list_posteriors.h"

namespace tunesmith::xbleu {

/// The statistics of corpus BLEU: matches and totals of 1-grams to 4-grams, and the reference length.
using BleuStatistics = std::array<double, 9>;

/// Means over lists, and sums of statistics.
struct Evaluation {
  size_t lists = 0;
  double gain = 0;                    // expected: sum over e of p(e) g(e)
  double likelihood = 0;              // log p of the candidate with the largest gain
  double entropy = 0;                 // relative to that of even posteriors, log n; of the lists with n > 1
  double best_gain = 0;               // of the candidate with the largest score
  double oracle_gain = 0;             // the largest gain
  BleuStatistics expected{}, best{};  // if the set has matches
};

/// Posteriors are p(e) = exp(gamma * score(e)) / Z. `changes` are those of the decoder's weights, by dense
/// feature; empty: none. O(features + uses).
Evaluation evaluate(const TrainingSet& set, std::span<const float> weights, double gamma,
                    std::span<const double> changes = {});

/// Mean over the lists of the objective, and its gradient by the weights and by the decoder's, added up in
/// double precision: for tests of the learner, and for batch methods.
double gradient_of(const TrainingSet& set, std::span<const float> weights, ListObjective objective,
                   double gamma, std::span<double> gradient, std::span<const double> changes = {},
                   std::span<double> dense_gradient = {});

}  // namespace tunesmith::xbleu
