// Sums over all derivations in log space: p(d) = exp(score(d)) / Z.
#pragma once

#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// log Z, the log of the summed exp(score) of all derivations; minus infinity if there are none. O(edges).
double log_partition(const Forest& forest, std::span<const double> scores);

/// log beta(v) of each node: the log of the summed exp(score) of its derivations.
std::vector<double> log_inside(const Forest& forest, std::span<const double> scores);

/// log alpha(v) of each node: the log of the derivative of Z by beta(v).
std::vector<double> log_outside(const Forest& forest, std::span<const double> scores);

/// How often a random derivation uses each edge and each node, on average: a probability, unless a
/// derivation can use a node more than once. An empty forest has none; one whose derivations are all
/// forbidden is an InputError.
struct ForestPosteriors {
  double log_partition;
  std::vector<double> edges;
  std::vector<double> nodes;
};

ForestPosteriors posteriors(const Forest& forest, std::span<const double> scores);

/// The score of the best derivation that uses each edge; minus infinity if there is none.
std::vector<double> max_marginals(const Forest& forest, std::span<const double> scores);

/// The number of derivations: exact up to 2^53, infinity beyond 1.8e308. Its log never overflows.
double count_derivations(const Forest& forest);
double log_count_derivations(const Forest& forest);

}  // namespace tunesmith::forest
