// A sink that sums feature values under weights.
#pragma once

#include "tunesmith/decode/feature.h"

namespace tunesmith::decode {

/// Sums weighted values.
class WeightedSum : public FeatureSink {
 public:
  explicit WeightedSum(const FeatureWeights& weights) : weights_(weights) {}
  void add(size_t column, float value) override { sum_ += weights_.dense[column] * value; }
  void add(const weights::FeatureName& name, float value) override {
    sum_ += weights_.sparse.weight_of(name.key) * value;
  }
  float sum() const { return sum_; }

 private:
  FeatureWeights weights_;
  float sum_ = 0;
};

}  // namespace tunesmith::decode
