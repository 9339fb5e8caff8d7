#include "tunesmith/lm_feature.h"

#include "tunesmith/lm_session.h"

namespace tunesmith {

namespace {

/// The target words. Those that are passed through are looked up once a sentence.
class WordTokens {
 public:
  explicit WordTokens(const LmFeature& feature) : feature_(feature) {}

  void begin(const DecoderInput& input) {
    words_ = input.words;
    passed_.clear();
    for (size_t i = 0; i < words_.passed.size(); ++i)
      passed_.push_back(feature_.model().find(words_.passed[i]));
  }
  uint32_t key(const Option& option) const { return option.phrase; }
  template <class Body>
  void for_each(const Option& option, Body body) const {
    for (const int32_t word : option.words) body(number(word));
  }

 private:
  int32_t number(int32_t word) const {
    const auto index = static_cast<size_t>(word);
    return index < words_.table.size() ? feature_.number(word, words_) : passed_[index - words_.table.size()];
  }

  const LmFeature& feature_;
  TargetWords words_;
  std::vector<int32_t> passed_;
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
  return std::make_unique<LmSession<WordTokens>>(model_, weights.dense[0], WordTokens(*this));
}

}  // namespace tunesmith
