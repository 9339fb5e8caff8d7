// Features whose part of the scores of candidates is left out, since a training adds it anew.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "tunesmith/decode/scored_forest.h"
#include "tunesmith/decode/weighted_model.h"
#include "tunesmith/forest/derivation.h"

namespace tunesmith::xbleu {

/// Dense features of a model by name; none by default. Used by several threads; the model must outlive it.
class LeftOutFeatures {
 public:
  LeftOutFeatures() = default;
  /// A name that the model does not have is an InputError.
  LeftOutFeatures(const decode::WeightedModel& model, std::span<const std::string> names);

  /// The sum, over the features, of weight x value in a derivation of the forest, by replay: O(length of the
  /// derivation), or O(1) if there are no features.
  double score(const decode::ScoredForest& forest, const forest::Derivation& derivation) const;

 private:
  struct Feature {
    uint64_t key;
    double weight;
  };

  const decode::WeightedModel* model_ = nullptr;
  std::vector<Feature> features_;
};

}  // namespace tunesmith::xbleu
