#include "tunesmith/xbleu/left_out.h"

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/weights/feature_name.h"

namespace tunesmith::xbleu {

LeftOutFeatures::LeftOutFeatures(const decode::WeightedModel& model, std::span<const std::string> names)
    : model_(&model) {
  const auto& known = model.model().names();
  for (const std::string& name : names) {
    const auto found = std::ranges::find(known, name);
    if (found == known.end()) throw InputError("the model has no dense feature " + quoted(name));
    features_.push_back({weights::key_of(name), model.weight(static_cast<size_t>(found - known.begin()))});
  }
}

double LeftOutFeatures::score(const decode::ScoredForest& forest,
                              const forest::Derivation& derivation) const {
  if (features_.empty()) return 0;
  const weights::FeatureVector values = forest.features(model_->model(), derivation.edges);
  double sum = 0;
  for (const Feature& feature : features_) sum += feature.weight * values.value_of(feature.key);
  return sum;
}

}  // namespace tunesmith::xbleu
