#include "tunesmith/forest/edge_features.h"

#include <string>

#include "tunesmith/base/errors.h"

namespace tunesmith::forest {

void EdgeFeatures::score(std::span<const double> weights, double scale, std::vector<double>& rule_scores,
                         std::vector<double>& scores) const {
  const auto dot = [&](std::span<const FeatureValue> row) {
    double sum = 0;
    for (const FeatureValue& feature : row)
      sum += weights[feature.column] * static_cast<double>(feature.value);
    return sum;
  };
  rule_scores.resize(of_rules.size());
  for (size_t rule = 0; rule < rule_scores.size(); ++rule) rule_scores[rule] = dot(of_rules[rule]);
  scores.resize(rules.size());
  for (size_t edge = 0; edge < scores.size(); ++edge)
    scores[edge] = scale * (rule_scores[rules[edge]] + dot(of_edges[edge]));
}

void check_columns(const Forest& forest, std::span<const int64_t> columns, size_t width) {
  const size_t features = forest.names().features.size();
  if (columns.size() != features)
    throw InputError(std::to_string(columns.size()) + " columns for " + std::to_string(features) +
                     " features of a forest; expected one per feature");
  for (size_t i = 0; i < columns.size(); ++i)
    if (columns[i] < 0 || static_cast<size_t>(columns[i]) >= width)
      throw InputError("feature " + std::string(forest.names().features[i]) + " of a forest has column " +
                       std::to_string(columns[i]) + "; expected one of 0 to " + std::to_string(width) +
                       " (exclusive), the number of weights");
}

}  // namespace tunesmith::forest
