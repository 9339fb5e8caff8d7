// A bilingual language model as a feature of left-to-right decoders.
#pragma once

#include "tunesmith/decode/model.h"
#include "tunesmith/lm/model.h"

namespace tunesmith::decode::features {

/// log p of the bilingual tokens (see bilingual_tokens.h) of the alignments within phrase pairs, and of </s>
/// (Niehues et al. 2011). A word that is passed through is aligned to itself, as it would be in training
/// text, so its token is `word joiner word`.
class BilingualFeature : public StatefulFeature {
 public:
  /// `model` is the model to which the feature is added; it has the source words of the tables.
  BilingualFeature(const lm::NgramLm& lm, std::string name, const DecoderModel& model, std::string joiner);

  std::vector<std::string> names() const override { return {name_}; }
  /// The score without context, as of LmFeature.
  float prepare(const Option&, const TargetWords&, const FeatureWeights&, std::span<float>) const override;
  bool has_estimate_values() const override { return true; }
  void estimate_values(const Option& option, const TargetWords& words, FeatureSink& sink) const override {
    sink.add(0, context_free(option, words));
  }
  std::unique_ptr<FeatureSession> session(const FeatureWeights&, size_t offset) const override;
  /// Not defined in a chart: its states are of the words so far, and a chart needs states of both ends.
  std::unique_ptr<FeatureSession> chart_session(const FeatureWeights&, size_t) const override {
    return nullptr;
  }

  const lm::NgramLm& lm() const { return lm_; }
  const DecoderModel& model() const { return model_; }
  /// Appends the numbers of an option's tokens.
  void tokens(const Option& option, const TargetWords& words, std::vector<int32_t>& numbers) const;

 private:
  float context_free(const Option& option, const TargetWords& words) const;

  const lm::NgramLm& lm_;
  std::string name_;
  const DecoderModel& model_;
  std::string joiner_;
};

}  // namespace tunesmith::decode::features
