// Expectations of additive quantities over the derivations of a forest, and their gradients.
#pragma once

#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// r(d) is the sum of r(e) over the edges of a derivation d; c_e(d) is the number of times it uses edge e.
struct EdgeExpectation {
  double log_partition;
  double mean;                     // E[r]
  double variance;                 // Var[r]
  std::vector<double> posteriors;  // E[c_e]
  /// Cov[r, c_e] = E[r c_e] - E[r] E[c_e]: the derivative of E[r] by the score of edge e. Multiplied by the
  /// features of the edges it gives the gradient of E[r] by the weights.
  std::vector<double> covariances;
};

/// One inside and one outside pass in the expectation semiring (Li and Eisner 2009, second-order expectations
/// by first-order outside values). O(edges). Throws InputError if r is not finite or not one value per edge,
/// or if there is no derivation.
EdgeExpectation edge_expectation(const Forest& forest, std::span<const double> scores,
                                 std::span<const double> values);

/// sum_e values[e] x phi(e), one sum per feature: posteriors give expected features, covariances a gradient.
/// O(features of edges and rules).
std::vector<double> feature_sums(const Forest& forest, std::span<const double> values);

/// E[s] of K additive statistics: posteriors times an edges x K matrix, summed in the order of edges.
std::vector<double> expected_statistics(std::span<const double> posteriors,
                                        std::span<const double> statistics, size_t width);

}  // namespace tunesmith::forest
