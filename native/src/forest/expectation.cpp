#include "tunesmith/forest/expectation.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/forest/edge_scores.h"
#include "tunesmith/forest/expectation_semiring.h"

namespace tunesmith::forest {

namespace {

void check_values(const Forest& forest, std::span<const double> values) {
  if (values.size() != forest.edge_count())
    throw InputError(std::to_string(values.size()) + " values for " + std::to_string(forest.edge_count()) +
                     " edges of a forest");
  for (size_t edge = 0; edge < values.size(); ++edge)
    if (!std::isfinite(values[edge]))
      throw InputError("the value of edge " + std::to_string(edge) + " is not finite");
}

}  // namespace

EdgeExpectation edge_expectation(const Forest& forest, std::span<const double> edge_scores,
                                 std::span<const double> values) {
  using Semiring = ExpectationSemiring;
  const EdgeScores scores(forest, edge_scores);
  check_values(forest, values);
  const auto value = [&](uint32_t edge) {
    return scores(edge) == kLogZero ? Semiring::zero() : WeightedMean{scores(edge), values[edge]};
  };
  const auto beta = inside<Semiring>(forest, value);
  std::vector<double> weights;
  weights.reserve(beta.size());
  for (const WeightedMean& sum : beta) weights.push_back(sum.log_weight);
  check_sums(weights);
  check_derivable(forest, weights);
  const auto alpha = outside<Semiring>(forest, value, std::span<const WeightedMean>(beta));

  const WeightedMean all = beta.back();
  EdgeExpectation result{all.log_weight, all.mean, 0, std::vector<double>(forest.edge_count()),
                         std::vector<double>(forest.edge_count())};
  for_each_edge(forest, [&](uint32_t node, uint32_t edge) {
    const WeightedMean sum = through<Semiring>(
        forest, node, edge, value, std::span<const WeightedMean>(alpha), std::span<const WeightedMean>(beta));
    result.posteriors[edge] = std::exp(sum.log_weight - all.log_weight);
    result.covariances[edge] = result.posteriors[edge] * (sum.mean - all.mean);
    result.variance += result.covariances[edge] * values[edge];
  });
  result.variance = std::max(result.variance, 0.0);
  return result;
}

std::vector<double> feature_sums(const Forest& forest, std::span<const double> values) {
  check_values(forest, values);
  std::vector<double> sums(forest.names().features.size());
  const auto add = [&](std::span<const FeatureValue> row, double scale) {
    for (const FeatureValue& feature : row)
      sums[feature.column] += scale * static_cast<double>(feature.value);
  };
  std::vector<double> of_rule(forest.rule_count());
  for (uint32_t edge = 0; edge < forest.edge_count(); ++edge) {
    of_rule[forest.rule(edge)] += values[edge];
    add(forest.edge_features(edge), values[edge]);
  }
  for (size_t rule = 0; rule < of_rule.size(); ++rule) add(forest.rules().features[rule], of_rule[rule]);
  return sums;
}

std::vector<double> expected_statistics(std::span<const double> posteriors,
                                        std::span<const double> statistics, size_t width) {
  if (statistics.size() != posteriors.size() * width)
    throw InputError("the statistics of a forest need one row for each of its " +
                     std::to_string(posteriors.size()) + " edges");
  std::vector<double> sums(width);
  for (size_t edge = 0; edge < posteriors.size(); ++edge)
    for (size_t i = 0; i < width; ++i) sums[i] += posteriors[edge] * statistics[edge * width + i];
  return sums;
}

}  // namespace tunesmith::forest
