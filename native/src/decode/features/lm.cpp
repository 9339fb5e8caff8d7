#include "tunesmith/decode/features/lm.h"

#include "tunesmith/decode/features/lm_chart_session.h"
#include "tunesmith/decode/features/lm_session.h"
#include "tunesmith/decode/features/lm_words.h"

namespace tunesmith::decode::features {

LmFeature::LmFeature(const lm::NgramLm& model, std::string name, Texts table_words)
    : model_(model), name_(std::move(name)), numbers_(model.find_all(table_words)) {}

float LmFeature::prepare(const Option& option, const TargetWords& words, const FeatureWeights& weights,
                         std::span<float>) const {
  return weights.dense[0] * context_free(option, words);
}

float LmFeature::context_free(const Option& option, const TargetWords& words) const {
  lm::LmState states[2];
  size_t now = 0;
  float score = 0;
  for (const grammar::Symbol symbol : option.words) {
    if (grammar::is_gap(symbol)) {
      states[now].length = 0;
      continue;
    }
    score += model_.score(states[now], number(symbol, words), states[1 - now]);
    now = 1 - now;
  }
  return score;
}

std::unique_ptr<FeatureSession> LmFeature::session(const FeatureWeights& weights, size_t) const {
  return std::make_unique<LmSession<LmWords>>(model_, weights.dense[0], LmWords(*this));
}

std::unique_ptr<FeatureSession> LmFeature::chart_session(const FeatureWeights& weights, size_t) const {
  return std::make_unique<LmChartSession>(*this, weights.dense[0]);
}

void LmUnknownFeature::values(const Option& option, std::span<const std::string_view>,
                              const TargetWords& words, FeatureSink& sink) const {
  float count = 0;
  for (const grammar::Symbol symbol : option.words)
    if (!grammar::is_gap(symbol) && model_.find(words[symbol]) == model_.unknown()) ++count;
  if (count > 0) sink.add(0, count);
}

}  // namespace tunesmith::decode::features
