// The placed features of a model at work on one sentence.
#pragma once

#include <memory>
#include <vector>

#include "tunesmith/decode/column_sink.h"
#include "tunesmith/decode/weighted_model.h"

namespace tunesmith::decode {

/// Scores options where they are applied. Made per sentence and thread; the model and the input outlive it.
class PlacedFeatures {
 public:
  PlacedFeatures(const WeightedModel& model, const DecoderInput& input);

  /// Whether the model has none: then nothing has to be placed.
  bool empty() const { return sessions_.empty(); }
  /// The weighted sum of the values of an option at a place.
  float score(const Option& option, const Place& place) const;
  /// The unweighted values.
  void values(const Option& option, const Place& place, ModelSink& sink) const;

 private:
  const WeightedModel& model_;
  std::vector<std::unique_ptr<PlacedSession>> sessions_;
};

}  // namespace tunesmith::decode
