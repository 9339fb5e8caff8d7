#include "tunesmith/decode/features/bilingual.h"

#include <algorithm>

#include "tunesmith/decode/features/lm_session.h"

namespace tunesmith::decode::features {

namespace {

/// Per-thread cache of the tokens of options: building them costs more than scoring them.
class BilingualTokens {
 public:
  explicit BilingualTokens(const BilingualFeature& feature) : feature_(feature) {}

  void begin(const DecoderInput& input) {
    words_ = input.words;
    passed_.clear();
    if (tokens_.values.size() < kKeptTokens) return;
    rows_.clear();
    tokens_ = {};
  }
  uint32_t key(const Option& option) {
    const bool passes = option.rule < 0;
    // Numbers of passed words and given phrases are valid for their sentence only.
    FlatMap<uint32_t>& rows = passes ? passed_ : rows_;
    const auto [row, is_new] = rows.insert(passes ? option.phrase : static_cast<uint64_t>(option.rule),
                                           static_cast<uint32_t>(tokens_.size()));
    if (is_new) {
      feature_.tokens(option, words_, tokens_.values);
      tokens_.close();
    }
    return row;
  }
  template <class Body>
  void for_each(const Option& option, Body body) {
    for (const int32_t token : tokens_[key(option)]) body(token);
  }

 private:
  static constexpr size_t kKeptTokens = size_t{1} << 20;

  const BilingualFeature& feature_;
  TargetWords words_;
  Rows<int32_t> tokens_;
  FlatMap<uint32_t> rows_, passed_;
};

}  // namespace

BilingualFeature::BilingualFeature(const lm::NgramLm& lm, std::string name, const DecoderModel& model,
                                   std::string joiner)
    : lm_(lm), name_(std::move(name)), model_(model), joiner_(std::move(joiner)) {}

void BilingualFeature::tokens(const Option& option, const TargetWords& words,
                              std::vector<int32_t>& numbers) const {
  std::vector<std::string> tokens;
  for (const int32_t word : option.words) tokens.emplace_back(words[word]);
  if (option.rule == Option::kUnknownWord) {
    for (std::string& token : tokens) token += joiner_ + std::string(token);
  } else if (option.rule >= 0) {
    const auto& vocabulary = model_.tables()[static_cast<size_t>(option.rule >> 32)].table->source_words();
    std::vector<corpus::Link> links(option.alignment.begin(), option.alignment.end());
    std::ranges::sort(links);
    for (const corpus::Link link : links)
      tokens[static_cast<size_t>(link.target)].append(joiner_).append(
          vocabulary.word(option.source[static_cast<size_t>(link.source)]));
  }
  for (const std::string& token : tokens) numbers.push_back(lm_.find(token));
}

float BilingualFeature::prepare(const Option& option, const TargetWords& words, const FeatureWeights& weights,
                                std::span<float>) const {
  return weights.dense[0] * context_free(option, words);
}

float BilingualFeature::context_free(const Option& option, const TargetWords& words) const {
  std::vector<int32_t> numbers;
  tokens(option, words, numbers);
  return lm_.phrase_score(numbers);
}

std::unique_ptr<FeatureSession> BilingualFeature::session(const FeatureWeights& weights, size_t) const {
  return std::make_unique<LmSession<BilingualTokens>>(lm_, weights.dense[0], BilingualTokens(*this));
}

}  // namespace tunesmith::decode::features
