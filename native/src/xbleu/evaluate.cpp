#include "tunesmith/xbleu/evaluate.h"

#include <algorithm>
#include <cmath>

#include "tunesmith/base/errors.h"

namespace tunesmith::xbleu {

namespace {

void add_statistics(const Matches& matches, uint32_t reference_length, double share, BleuStatistics& sums) {
  for (size_t n = 0; n < 4; ++n) {
    const int total = std::max(0, matches.length - static_cast<int>(n));
    sums[2 * n] += share * matches.of[n];
    sums[2 * n + 1] += share * total;
  }
  sums[8] += share * reference_length;
}

template <class Number>
Evaluation evaluate_as(const TrainingSet& set, std::span<const float> weights, double gamma,
                       std::span<const double> changes) {
  Evaluation sums;
  ListPosteriors posteriors(set.widest());
  size_t uneven = 0;
  for (size_t i = 0; i < set.size(); ++i) {
    const TrainingList<Number> list = set.list<Number>(i);
    posteriors.score(list, weights.data(), 1);
    if (!changes.empty()) posteriors.add_dense(list, changes);
    const double log_sum = posteriors.normalize(list.size(), gamma);
    const std::vector<double>& p = posteriors.posteriors();
    const auto scores = posteriors.scores().begin();
    const auto best = static_cast<size_t>(
        std::max_element(scores, scores + static_cast<std::ptrdiff_t>(list.size())) - scores);
    sums.gain += posteriors.expected_gain(list);
    if (!list.is_even()) sums.likelihood += posteriors.log_posterior(list.best, gamma, log_sum);
    sums.best_gain += static_cast<double>(list.gains[best]);
    sums.oracle_gain += static_cast<double>(list.gains[list.best]);
    if (list.size() > 1) {
      double entropy = 0;
      for (size_t e = 0; e < list.size(); ++e) entropy -= p[e] * posteriors.log_posterior(e, gamma, log_sum);
      sums.entropy += entropy / std::log(static_cast<double>(list.size()));
      ++uneven;
    }
    if (list.matches == nullptr) continue;
    add_statistics(list.matches[best], list.reference_length, 1, sums.best);
    for (size_t e = 0; e < list.size(); ++e)
      add_statistics(list.matches[e], list.reference_length, p[e], sums.expected);
  }
  sums.lists = set.size();
  const auto lists = static_cast<double>(std::max<size_t>(set.size(), 1));
  for (double* sum : {&sums.gain, &sums.likelihood, &sums.best_gain, &sums.oracle_gain}) *sum /= lists;
  sums.entropy /= static_cast<double>(std::max<size_t>(uneven, 1));
  return sums;
}

template <class Number>
double gradient_as(const TrainingSet& set, std::span<const float> weights, ListObjective objective,
                   double gamma, std::span<double> gradient, std::span<const double> changes,
                   std::span<double> dense_gradient) {
  std::fill(gradient.begin(), gradient.end(), 0);
  std::fill(dense_gradient.begin(), dense_gradient.end(), 0);
  ListPosteriors posteriors(set.widest());
  double sum = 0;
  const double share = 1 / static_cast<double>(std::max<size_t>(set.size(), 1));
  for (size_t i = 0; i < set.size(); ++i) {
    const TrainingList<Number> list = set.list<Number>(i);
    posteriors.score(list, weights.data(), 1);
    if (!changes.empty()) posteriors.add_dense(list, changes);
    sum += posteriors.differentiate(list, objective, gamma);
    posteriors.for_each_event(list, [&](double slope, const Number* features, size_t count) {
      for (size_t f = 0; f < count; ++f) gradient[features[f]] += share * slope;
    });
    if (!dense_gradient.empty())
      posteriors.for_each_dense(list, [&](uint16_t k, double slope) { dense_gradient[k] += share * slope; });
  }
  return share * sum;
}

void check_dense(const TrainingSet& set, size_t changes) {
  if (changes != 0 && changes != set.dense_features())
    throw InputError("the lists have values of " + std::to_string(set.dense_features()) +
                     " dense features, but there are " + std::to_string(changes) + " changes of weights");
}

}  // namespace

Evaluation evaluate(const TrainingSet& set, std::span<const float> weights, double gamma,
                    std::span<const double> changes) {
  set.check(weights.size());
  check_dense(set, changes.size());
  return set.is_small() ? evaluate_as<uint16_t>(set, weights, gamma, changes)
                        : evaluate_as<uint32_t>(set, weights, gamma, changes);
}

double gradient_of(const TrainingSet& set, std::span<const float> weights, ListObjective objective,
                   double gamma, std::span<double> gradient, std::span<const double> changes,
                   std::span<double> dense_gradient) {
  set.check(std::min(weights.size(), gradient.size()));
  check_dense(set, changes.size());
  check_dense(set, dense_gradient.size());
  return set.is_small()
             ? gradient_as<uint16_t>(set, weights, objective, gamma, gradient, changes, dense_gradient)
             : gradient_as<uint32_t>(set, weights, objective, gamma, gradient, changes, dense_gradient);
}

}  // namespace tunesmith::xbleu
