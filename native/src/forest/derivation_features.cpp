#include "tunesmith/forest/derivation_features.h"

namespace tunesmith::forest {

void DerivationFeatures::add(const Forest& forest, std::span<const uint32_t> edges) {
  if (sums_.size() < forest.names().features.size()) {
    sums_.resize(forest.names().features.size());
    met_.resize(sums_.size());
  }
  for (const uint32_t edge : edges) {
    add(forest.rule_features(edge));
    add(forest.edge_features(edge));
  }
}

void DerivationFeatures::add(std::span<const FeatureValue> row) {
  for (const FeatureValue& feature : row) {
    if (met_[feature.column] == 0) {
      met_[feature.column] = 1;
      columns_.push_back(feature.column);
    }
    sums_[feature.column] += static_cast<double>(feature.value);
  }
}

void DerivationFeatures::clear() {
  for (const uint32_t column : columns_) {
    sums_[column] = 0;
    met_[column] = 0;
  }
  columns_.clear();
}

}  // namespace tunesmith::forest
