// A sink that records feature values by model column.
#pragma once

#include <string_view>
#include <vector>

#include "tunesmith/decode/model.h"

namespace tunesmith::decode {

/// Appends nonzero values to a list, by model column.
class ColumnSink : public FeatureSink {
 public:
  ColumnSink(const DecoderModel& model, std::vector<FeatureValue>& values) : model_(model), values_(values) {}
  /// Sets the model column of the feature's column 0.
  void begin(size_t first) { first_ = static_cast<uint32_t>(first); }
  void add(size_t column, float value) override {
    if (value != 0) values_.push_back({first_ + static_cast<uint32_t>(column), value});
  }
  using FeatureSink::add;
  void add(const weights::FeatureName& name, float value) override {
    if (value != 0) values_.push_back({model_.sparse_column(name), value});
  }

 private:
  const DecoderModel& model_;
  std::vector<FeatureValue>& values_;
  uint32_t first_ = 0;
};

}  // namespace tunesmith::decode
