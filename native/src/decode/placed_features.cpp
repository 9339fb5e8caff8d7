#include "tunesmith/decode/placed_features.h"

#include "tunesmith/decode/weighted_sum.h"

namespace tunesmith::decode {

namespace {

bool applies(const PlacedFeature& feature, const Option& option) {
  if (option.border != grammar::Border::kNone) return false;  // sentence markers are not words
  return option.rule >= 0 || feature.sees_unknown_words();
}

}  // namespace

PlacedFeatures::PlacedFeatures(const WeightedModel& model, const DecoderInput& input) : model_(model) {
  for (const auto& part : model.model().placed_features()) sessions_.push_back(part.feature->session(input));
}

float PlacedFeatures::score(const Option& option, const Place& place) const {
  float sum = 0;
  for (size_t i = 0; i < sessions_.size(); ++i) {
    const auto& part = model_.model().placed_features()[i];
    if (!applies(*part.feature, option)) continue;
    WeightedSum sink(model_.weights(part));
    sessions_[i]->values(option, place, sink);
    sum += sink.sum();
  }
  return sum;
}

void PlacedFeatures::values(const Option& option, const Place& place, ModelSink& sink) const {
  for (size_t i = 0; i < sessions_.size(); ++i) {
    const auto& part = model_.model().placed_features()[i];
    if (!applies(*part.feature, option)) continue;
    sink.begin(part.first);
    sessions_[i]->values(option, place, sink);
  }
  sink.begin(0);
}

}  // namespace tunesmith::decode
