// Numerically stable log-sum-exp and softmax.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace tunesmith {

/// log(exp(a) + exp(b)); minus infinity is the log of an empty sum.
inline double log_add(double a, double b) {
  if (a < b) std::swap(a, b);
  if (b == -std::numeric_limits<double>::infinity()) return a;
  return a + std::log1p(std::exp(b - a));
}

/// log sum exp(scores[i]) over the i with keep(i).
template <class Keep>
double log_sum(std::span<const double> scores, Keep keep) {
  double largest = -std::numeric_limits<double>::infinity(), sum = 0;
  for (size_t i = 0; i < scores.size(); ++i)
    if (keep(i)) largest = std::max(largest, scores[i]);
  for (size_t i = 0; i < scores.size(); ++i)
    if (keep(i)) sum += std::exp(scores[i] - largest);
  return sum == 0 ? largest : largest + std::log(sum);
}

/// p[i] = exp(scale * scores[i]) / Z; `scores` must not be empty.
inline void softmax(std::span<const double> scores, double scale, std::span<double> p) {
  double largest = -std::numeric_limits<double>::infinity();
  for (double score : scores) largest = std::max(largest, scale * score);
  double sum = 0;
  for (size_t i = 0; i < scores.size(); ++i) sum += p[i] = std::exp(scale * scores[i] - largest);
  for (double& value : p) value /= sum;
}

}  // namespace tunesmith
