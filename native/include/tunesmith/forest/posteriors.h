// Partition function, inside and outside scores, and posteriors, in log space: p(d) = exp(score(d)) / Z.
#pragma once

#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// log Z = log sum over derivations of exp(score); minus infinity if there are none. O(edges).
double log_partition(const Forest& forest, std::span<const double> scores);

/// log beta(v) of each node: log sum of exp(score) over its derivations.
std::vector<double> log_inside(const Forest& forest, std::span<const double> scores);

/// log alpha(v) of each node: log of the derivative of Z by beta(v).
std::vector<double> log_outside(const Forest& forest, std::span<const double> scores);

/// Expected number of times that a derivation uses each edge and each node: a probability, unless a
/// derivation can use a node more than once. Empty for an empty forest; throws InputError if every derivation
/// is forbidden.
struct ForestPosteriors {
  double log_partition;
  std::vector<double> edges;
  std::vector<double> nodes;
};

ForestPosteriors posteriors(const Forest& forest, std::span<const double> scores);

/// Score of the best derivation that uses each edge; minus infinity if there is none.
std::vector<double> max_marginals(const Forest& forest, std::span<const double> scores);

/// Number of derivations: exact up to 2^53, infinity beyond 1.8e308. Its log never overflows.
double count_derivations(const Forest& forest);
double log_count_derivations(const Forest& forest);

}  // namespace tunesmith::forest
