// An n-gram language model as a feature of decoders.
#pragma once

#include <algorithm>
#include <limits>

#include "tunesmith/decode/feature.h"
#include "tunesmith/lm/model.h"

namespace tunesmith::decode::features {

/// log p of the target words, and of </s> at the end. If the model has classes, words are mapped to them.
class LmFeature : public StatefulFeature {
 public:
  LmFeature(const lm::NgramLm& model, std::string name, Texts table_words);

  std::vector<std::string> names() const override { return {name_}; }
  /// The score of each run of adjacent words without context, as in Moses.
  float prepare(const Option&, const TargetWords&, const FeatureWeights&, std::span<float>) const override;
  bool has_estimate_values() const override { return true; }
  void estimate_values(const Option& option, const TargetWords& words, FeatureSink& sink) const override {
    sink.add(0, context_free(option, words));
  }
  float most_expected(const FeatureWeights& weights) const override {
    return weights.dense[0] >= 0 ? 0 : std::numeric_limits<float>::infinity();
  }
  /// One nat: words are more probable in context. Measured: the best model scores for the time.
  float optimism(const FeatureWeights& weights) const override { return std::max(0.0F, weights.dense[0]); }
  std::unique_ptr<FeatureSession> session(const FeatureWeights&, size_t offset) const override;
  std::unique_ptr<FeatureSession> chart_session(const FeatureWeights&, size_t offset) const override;

  const lm::NgramLm& model() const { return model_; }
  /// The model's number of a word.
  int32_t number(int32_t word, const TargetWords& words) const {
    const auto index = static_cast<size_t>(word);
    return index < numbers_.size() ? numbers_[index] : model_.find(words[word]);
  }

 private:
  float context_free(const Option& option, const TargetWords& words) const;

  const lm::NgramLm& model_;
  std::string name_;
  std::vector<int32_t> numbers_;  // LM numbers of the tables' target words
};

/// Counts the target words that a language model does not know.
class LmUnknownFeature : public PairFeature {
 public:
  LmUnknownFeature(const lm::NgramLm& model, std::string name) : model_(model), name_(std::move(name)) {}

  std::vector<std::string> names() const override { return {name_}; }
  bool sees_unknown_words() const override { return true; }
  void values(const Option& option, std::span<const std::string_view> source, const TargetWords& words,
              FeatureSink& sink) const override;

 private:
  const lm::NgramLm& model_;
  std::string name_;
};

}  // namespace tunesmith::decode::features
