// Scores an n-gram model over any kind of tokens in a left-to-right decoder.
#pragma once

#include <span>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/base/interner.h"
#include "tunesmith/decode/feature.h"
#include "tunesmith/lm/model.h"

namespace tunesmith::decode::features {

/// log p of the tokens of all options, and of </s> at the end. `Tokens` maps options to LM tokens:
/// - begin(input): a sentence begins;
/// - key(option): a number, equal only for options with equal tokens;
/// - for_each(option, body): calls body(number) for each token.
/// States are numbered, and the score of an option after a state is cached: the search needs it once per
/// coverage in which the two meet.
template <class Tokens>
class LmSession : public FeatureSession {
 public:
  LmSession(const lm::NgramLm& model, float weight, Tokens tokens)
      : model_(model), weight_(weight), tokens_(std::move(tokens)) {}

  void begin(const DecoderInput& input) override {
    tokens_.begin(input);
    states_.clear();
    known_.clear();
  }
  uint32_t start() override { return intern(model_.begin_state()); }

  Transition apply(std::span<const uint32_t> tails, const Step& step) override {
    const uint64_t key = uint64_t{tails[0]} << 32 | tokens_.key(step.option);
    if (const Transition* known = known_.find(key)) return *known;
    const auto [score, state] = extend(tails[0], step.option);
    return known_.insert(key, {weight_ * score, state}).value;
  }
  float finish(uint32_t state) override { return weight_ * end(state); }

  void values(std::span<const uint32_t> tails, const Step& step, FeatureSink& sink) override {
    sink.add(0, extend(tails[0], step.option).score);
  }
  void final_values(uint32_t state, FeatureSink& sink) override { sink.add(0, end(state)); }
  size_t bytes() const override { return states_.bytes() + known_.bytes(); }

 private:
  Transition extend(uint32_t state, const Option& option) {
    lm::LmState buffers[2] = {states_[state], {}};
    float score = 0;
    size_t now = 0;
    tokens_.for_each(option, [&](int32_t token) {
      score += model_.score(buffers[now], token, buffers[1 - now]);
      now = 1 - now;
    });
    return {score, intern(buffers[now])};
  }
  float end(uint32_t state) const {
    lm::LmState out;
    return model_.score(states_[state], model_.sentence_end(), out);
  }
  uint32_t intern(const lm::LmState& state) { return states_.number(state, state.hash()); }

  const lm::NgramLm& model_;
  float weight_;
  Tokens tokens_;
  Interner<lm::LmState> states_;
  FlatMap<Transition> known_;  // cache by state and key of the option
};

}  // namespace tunesmith::decode::features
