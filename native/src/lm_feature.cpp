#include "tunesmith/lm_feature.h"

#include "tunesmith/flat_map.h"

namespace tunesmith {

namespace {

/// States are numbered, so that what a phrase scores after a state is computed once: a search asks for it
/// again with every coverage in which the two meet.
class LmSession : public FeatureSession {
 public:
  LmSession(const LmFeature& feature, float weight)
      : feature_(feature), model_(feature.model()), weight_(weight) {}

  void begin(const DecoderInput& input) override {
    words_ = input.words;
    passed_.clear();
    for (size_t i = 0; i < words_.passed.size(); ++i) passed_.push_back(model_.find(words_.passed[i]));
    states_.clear();
    numbers_.clear();
    known_.clear();
  }
  uint32_t start() override { return intern(model_.begin_state()); }

  Transition apply(std::span<const uint32_t> tails, const Step& step) override {
    const uint64_t key = uint64_t{tails[0]} << 32 | step.option.phrase;
    if (const Transition* known = known_.find(key)) return *known;
    const auto [score, state] = extend(tails[0], step.option.words);
    return known_.insert(key, {weight_ * score, state}).value;
  }
  float finish(uint32_t state) override { return weight_ * end(state); }

  void values(std::span<const uint32_t> tails, const Step& step, FeatureSink& sink) override {
    sink.add(0, extend(tails[0], step.option.words).score);
  }
  void final_values(uint32_t state, FeatureSink& sink) override { sink.add(0, end(state)); }

 private:
  Transition extend(uint32_t state, std::span<const int32_t> words) {
    LmState buffers[2] = {states_[state], {}};
    float score = 0;
    size_t now = 0;
    for (const int32_t word : words) {
      score += model_.score(buffers[now], number(word), buffers[1 - now]);
      now = 1 - now;
    }
    return {score, intern(buffers[now])};
  }
  float end(uint32_t state) const {
    LmState out;
    return model_.score(states_[state], model_.sentence_end(), out);
  }
  int32_t number(int32_t word) const {
    const auto index = static_cast<size_t>(word);
    return index < words_.table.size() ? feature_.number(word, words_) : passed_[index - words_.table.size()];
  }
  uint32_t intern(const LmState& state) {
    // States of equal hash are told apart by a step to the next key.
    for (uint64_t key = state.hash();; ++key) {
      const auto [number, is_new] = numbers_.insert(key, static_cast<uint32_t>(states_.size()));
      if (is_new) states_.push_back(state);
      if (is_new || states_[number] == state) return number;
    }
  }

  const LmFeature& feature_;
  const NgramLm& model_;
  float weight_;
  TargetWords words_;
  std::vector<int32_t> passed_;
  std::vector<LmState> states_;
  FlatMap<uint32_t> numbers_;  // of states by hash
  FlatMap<Transition> known_;  // by state and phrase
};

}  // namespace

LmFeature::LmFeature(const NgramLm& model, std::string name, Texts table_words)
    : model_(model), name_(std::move(name)), numbers_(model.find_all(table_words)) {}

float LmFeature::prepare(const Option& option, const TargetWords& words, const FeatureWeights& weights,
                         std::span<float>) const {
  std::vector<int32_t> numbers;
  for (const int32_t word : option.words) numbers.push_back(number(word, words));
  return weights.dense[0] * model_.phrase_score(numbers);
}

std::unique_ptr<FeatureSession> LmFeature::session(const FeatureWeights& weights, size_t) const {
  return std::make_unique<LmSession>(*this, weights.dense[0]);
}

}  // namespace tunesmith
