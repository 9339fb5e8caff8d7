// What HMM and IBM 4 read off the paths of both directions: links, matrices of posteriors, likelihoods.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "tunesmith/align/mixture.h"

namespace tunesmith::align {

/// The links of a sentence pair: of target word j to sources[j], and of source word i to targets[i]; -1 is
/// none. Both are sorted.
inline BothWays<std::vector<corpus::Link>> links_of_paths(std::span<const int32_t> sources,
                                                          std::span<const int32_t> targets) {
  BothWays<std::vector<corpus::Link>> links;
  for (size_t j = 0; j < sources.size(); ++j)
    if (sources[j] >= 0) links.forward.push_back({sources[j], static_cast<int32_t>(j)});
  for (size_t i = 0; i < targets.size(); ++i)
    if (targets[i] >= 0) links.reverse.push_back({static_cast<int32_t>(i), targets[i]});
  std::sort(links.forward.begin(), links.forward.end());
  return links;
}

/// Writes the posteriors of one direction, by steps of its path, as a matrix of n source and m target words.
inline void write_posteriors(std::span<const float> of_steps, size_t n, size_t m, bool reverse, float* out) {
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < m; ++j) *out++ = of_steps[reverse ? i * m + j : j * n + i];
}

/// Adds up the likelihoods of all pairs, in order.
inline BothWays<double> sum_of(std::span<const BothWays<double>> likelihoods) {
  BothWays<double> sum;
  for (const auto& each : likelihoods) {
    sum.forward += each.forward;
    sum.reverse += each.reverse;
  }
  return sum;
}

}  // namespace tunesmith::align
