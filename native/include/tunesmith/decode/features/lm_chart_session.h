// Scores an n-gram language model in a chart decoder.
#pragma once

#include "tunesmith/base/flat_map.h"
#include "tunesmith/base/interner.h"
#include "tunesmith/decode/features/lm_words.h"
#include "tunesmith/lm/chart.h"

namespace tunesmith::decode::features {

/// log p of sub-derivations combined in any order. The state of a sub-derivation is the words at its left end
/// whose probabilities may still change, and the LM state at its right end.
class LmChartSession : public FeatureSession {
 public:
  LmChartSession(const LmFeature& feature, float weight)
      : model_(feature.model()), weight_(weight), words_(feature) {}

  void begin(const DecoderInput& input) override;
  uint32_t start() override;
  Transition apply(std::span<const uint32_t> tails, const Step& step) override;
  float finish(uint32_t state) override { return weight_ * end(state); }
  void values(std::span<const uint32_t> tails, const Step& step, FeatureSink& sink) override {
    sink.add(0, compose(tails, step.option).score);
  }
  void final_values(uint32_t state, FeatureSink& sink) override { sink.add(0, end(state)); }
  size_t bytes() const override { return states_.bytes() + known_.bytes(); }

 private:
  Transition compose(std::span<const uint32_t> tails, const Option& option);
  float end(uint32_t state) const;
  uint32_t intern(const lm::LmChartState& state) { return states_.number(state, state.hash()); }

  const lm::NgramLm& model_;
  float weight_;
  LmWords words_;
  Interner<lm::LmChartState> states_;
  FlatMap<Transition> known_;  // cache for rules without gaps, by target side
};

}  // namespace tunesmith::decode::features
