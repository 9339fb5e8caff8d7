#include "tunesmith/objectives/best_likelihood.h"

#include <algorithm>
#include <cmath>

#include "tunesmith/base/softmax.h"

namespace tunesmith::objectives {

void BestLikelihood::check(std::span<const int64_t> lists) const { check_gains(gains_, lists); }

double BestLikelihood::at(size_t, size_t first, std::span<const double> scores,
                          std::span<double> slopes) const {
  const auto gains = gains_.subspan(first, scores.size());
  const double best = *std::max_element(gains.begin(), gains.end());
  const double log_best = log_sum(scores, [&](size_t i) { return gains[i] == best; });
  const double log_all = log_sum(scores, [](size_t) { return true; });
  for (size_t i = 0; i < gains.size(); ++i) {
    slopes[i] = std::exp(scores[i] - log_all);
    if (gains[i] == best) slopes[i] -= std::exp(scores[i] - log_best);
  }
  return log_all - log_best;
}

}  // namespace tunesmith::objectives
