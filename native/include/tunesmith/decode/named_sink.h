// A sink that sums feature values by name.
#pragma once

#include <vector>

#include "tunesmith/decode/column_sink.h"
#include "tunesmith/weights/feature_vector.h"

namespace tunesmith::decode {

/// Sums the values of a derivation into a vector of features by name, without giving sparse features columns.
/// Dense columns are summed aside and added by `finish`.
class NamedSink : public ModelSink {
 public:
  NamedSink(const DecoderModel& model, weights::FeatureVector& vector)
      : model_(model), vector_(vector), dense_(model.names().size()) {}

  void add(size_t own, float value) override {
    const uint32_t number = column(own);
    if (number < dense_.size())
      dense_[number] += double{value};
    else if (value != 0)  // a value that was cached by column
      add(model_.column_name(number), value);
  }
  using FeatureSink::add;
  void add(const weights::FeatureName& name, float value) override {
    if (value != 0) vector_.add(name, double{value});
  }

  void finish() {
    for (size_t i = 0; i < dense_.size(); ++i) {
      const std::string_view name = model_.names()[i];
      if (dense_[i] != 0) vector_.add(weights::FeatureName{{&name, 1}, weights::key_of(name)}, dense_[i]);
    }
  }

 private:
  const DecoderModel& model_;
  weights::FeatureVector& vector_;
  std::vector<double> dense_;
};

}  // namespace tunesmith::decode
