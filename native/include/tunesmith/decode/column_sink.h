// Sinks of feature values by model column.
#pragma once

#include <string_view>
#include <vector>

#include "tunesmith/decode/model.h"

namespace tunesmith::decode {

/// Receives the values of a whole model, feature by feature.
class ModelSink : public FeatureSink {
 public:
  /// Sets the model column of the feature's column 0.
  void begin(size_t first) { first_ = static_cast<uint32_t>(first); }

 protected:
  uint32_t column(size_t own) const { return first_ + static_cast<uint32_t>(own); }

 private:
  uint32_t first_ = 0;
};

/// Appends nonzero values to a list, by model column.
class ColumnSink : public ModelSink {
 public:
  ColumnSink(const DecoderModel& model, std::vector<FeatureValue>& values) : model_(model), values_(values) {}
  void add(size_t own, float value) override {
    if (value != 0) values_.push_back({column(own), value});
  }
  using FeatureSink::add;
  void add(const weights::FeatureName& name, float value) override {
    if (value != 0) values_.push_back({model_.sparse_column(name), value});
  }

 private:
  const DecoderModel& model_;
  std::vector<FeatureValue>& values_;
};

}  // namespace tunesmith::decode
