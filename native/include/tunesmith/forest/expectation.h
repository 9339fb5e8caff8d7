// Expectations of what adds up along a derivation, and how they change with the scores.
#pragma once

#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// r(d) is the sum of r(e) over the edges of a derivation d; c_e(d) is how often it uses edge e.
struct EdgeExpectation {
  double log_partition;
  double mean;                     // E[r]
  double variance;                 // Var[r]
  std::vector<double> posteriors;  // E[c_e]
  /// Cov[r, c_e] = E[r c_e] - E[r] E[c_e]: the derivative of E[r] by the score of edge e. Times the features
  /// of the edges it is the gradient of E[r] by their weights.
  std::vector<double> covariances;
};

/// One inside and one outside pass over the expectation semiring, with r marked on the edges (Li and Eisner
/// 2009, second-order expectations by first-order outside values). O(edges). Throws InputError if r is not
/// finite or not as long as the edges, or if there is no derivation.
EdgeExpectation edge_expectation(const Forest& forest, std::span<const double> scores,
                                 std::span<const double> values);

/// sum_e values[e] x phi(e), a value a feature: posteriors give expected features, covariances a gradient.
/// O(features of edges and rules).
std::vector<double> feature_sums(const Forest& forest, std::span<const double> values);

/// E[s] of K statistics that add up along edges: posteriors times an edges x K matrix, row by row in order.
std::vector<double> expected_statistics(std::span<const double> posteriors,
                                        std::span<const double> statistics, size_t width);

}  // namespace tunesmith::forest
