#include "tunesmith/xbleu/evaluate_forests.h"

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/metrics/ngrams.h"
#include "tunesmith/xbleu/best_path.h"
#include "tunesmith/xbleu/reference_numbers.h"

namespace tunesmith::xbleu {

namespace {

/// Adds the statistics of a text, given as numbers of words of the reference, -1 for others.
void add_text(const std::vector<int32_t>& text, const std::vector<int32_t>& reference,
              metrics::NgramCounter& counter, BleuStatistics& sums) {
  counter.clear(reference.size() * kMatchedOrder);
  counter.add_reference(reference, kMatchedOrder);
  counter.match(text, kMatchedOrder, sums.data(), 2);
  for (size_t n = 0; n < kMatchedOrder; ++n)
    sums[2 * n + 1] += static_cast<double>(text.size() > n ? text.size() - n : 0);
  sums[8] += static_cast<double>(reference.size());
}

template <class Number>
Evaluation evaluate_forests_as(const ForestSet& set, std::span<const float> weights, double gamma) {
  Evaluation sums;
  EventForestPosteriors posteriors(set.widest());
  metrics::NgramCounter counter;
  size_t uneven = 0;
  for (size_t i = 0; i < set.size(); ++i) {
    const TrainingForest<Number> forest = set.list<Number>(i);
    posteriors.score(forest, weights.data(), 1);
    sums.gain += forest.constant + posteriors.normalize(forest, gamma);
    sums.best_gain += forest.constant;
    sums.oracle_gain += forest.constant;
    if (!forest.is_even) sums.likelihood += posteriors.log_posterior(forest, forest.best, gamma);
    for (const uint32_t edge : forest.best) sums.oracle_gain += static_cast<double>(forest.gains[edge]);
    std::vector<int32_t> text;
    for (const uint32_t edge : best_path(forest, [&](uint32_t e) { return posteriors.scores()[e]; })) {
      sums.best_gain += static_cast<double>(forest.gains[edge]);
      const uint32_t first = forest.word_offsets[edge], end = forest.word_offsets[edge + 1];
      text.insert(text.end(), forest.words.begin() + first, forest.words.begin() + end);
    }
    add_text(text, {forest.reference.begin(), forest.reference.end()}, counter, sums.best);
    double energy = 0, length = 0;
    posteriors.for_each_posterior(forest, [&](uint32_t edge, double posterior, double) {
      energy += posterior * gamma * posteriors.scores()[edge];
      length += posterior * static_cast<double>(forest.word_offsets[edge + 1] - forest.word_offsets[edge]);
      for (size_t n = 0; n < kMatchedOrder; ++n) sums.expected[2 * n] += posterior * forest.matches[edge][n];
    });
    for (size_t n = 0; n < kMatchedOrder; ++n)
      sums.expected[2 * n + 1] += std::max(0.0, length - static_cast<double>(n));
    sums.expected[8] += static_cast<double>(forest.reference.size());
    if (forest.log_derivations > 0) {
      sums.entropy += (posteriors.log_partition(forest) - energy) / forest.log_derivations;
      ++uneven;
    }
  }
  sums.lists = set.size();
  const auto forests = static_cast<double>(std::max<size_t>(set.size(), 1));
  for (double* sum : {&sums.gain, &sums.likelihood, &sums.best_gain, &sums.oracle_gain}) *sum /= forests;
  sums.entropy /= static_cast<double>(std::max<size_t>(uneven, 1));
  return sums;
}

template <class Number>
double forest_gradient_as(const ForestSet& set, std::span<const float> weights, ListObjective objective,
                          double gamma, std::span<double> gradient) {
  std::fill(gradient.begin(), gradient.end(), 0);
  EventForestPosteriors posteriors(set.widest());
  double sum = 0;
  const double share = 1 / static_cast<double>(std::max<size_t>(set.size(), 1));
  for (size_t i = 0; i < set.size(); ++i) {
    const TrainingForest<Number> forest = set.list<Number>(i);
    posteriors.score(forest, weights.data(), 1);
    sum += posteriors.differentiate(forest, objective, gamma);
    posteriors.for_each_event(forest, [&](double slope, const Number* features, size_t count) {
      for (size_t f = 0; f < count; ++f) gradient[features[f]] += share * slope;
    });
  }
  return share * sum;
}

}  // namespace

Evaluation evaluate(const ForestSet& set, std::span<const float> weights, double gamma) {
  set.check(weights.size());
  if (!set.has_words()) throw InputError("the forests were compiled for training, not for evaluation");
  return set.is_small() ? evaluate_forests_as<uint16_t>(set, weights, gamma)
                        : evaluate_forests_as<uint32_t>(set, weights, gamma);
}

double gradient_of(const ForestSet& set, std::span<const float> weights, ListObjective objective,
                   double gamma, std::span<double> gradient) {
  set.check(std::min(weights.size(), gradient.size()));
  return set.is_small() ? forest_gradient_as<uint16_t>(set, weights, objective, gamma, gradient)
                        : forest_gradient_as<uint32_t>(set, weights, objective, gamma, gradient);
}

BleuStatistics best_statistics(const EventForest& forest, const EventTexts& texts) {
  const ReferenceNumbers reference(forest.reference);
  std::vector<int32_t> text;
  const auto score = [&](uint32_t edge) { return static_cast<double>(forest.edges[edge].score); };
  for (const uint32_t edge : best_path(forest, score)) {
    const uint32_t event = forest.edges[edge].event;
    if (event != ForestEdge::kNone) reference.append(texts.phrase(forest.events[event].target), text);
  }
  BleuStatistics sums{};
  metrics::NgramCounter counter;
  add_text(text, reference.numbers(), counter, sums);
  return sums;
}

}  // namespace tunesmith::xbleu
