#include "tunesmith/lm/model.h"

#include <algorithm>
#include <cstring>

#include "tunesmith/base/errors.h"

namespace tunesmith::lm {

NgramLm::NgramLm(const std::string& path, bool in_memory)
    : container_(path, kNgramLmKind, kNgramLmVersion), vocabulary_(container_, "words") {
  const auto facts = container_.section<NgramLmFacts>("facts");
  if (facts.size() != 1) fail_damaged("its header has the wrong size");
  facts_ = facts[0];
  if (facts_.order < 1 || facts_.order > kMaxLmOrder) fail_damaged("its order is out of range");
  order_ = static_cast<uint32_t>(facts_.order);
  unigrams_ = container_.section<NgramWeights>("order.1");
  if (unigrams_.size() != vocabulary_.size() ||
      std::max({facts_.unknown, facts_.begin, facts_.end}) >= size())
    fail_damaged("its header, words and unigram probabilities do not match");
  unknown_ = static_cast<int32_t>(facts_.unknown);
  if (order_ == 1 && std::any_of(unigrams_.begin(), unigrams_.end(),
                                 [](const NgramWeights& word) { return extends_right(word.backoff); }))
    fail_damaged("words have back-offs, but there is no higher order");
  map_tables(in_memory);

  const auto begin = static_cast<int32_t>(facts_.begin);
  begin_state_.words[0] = begin;
  begin_state_.backoffs[0] = unigram(begin).backoff;
  begin_state_.length = extends_right(unigram(begin).backoff) ? 1 : 0;

  if (!container_.has("classes.numbers")) return;
  const corpus::VocabularyView words(container_, "classes");
  const auto numbers = container_.section<int32_t>("classes.numbers");
  if (numbers.size() != words.size()) fail_damaged("it has different numbers of words and word classes");
  for (size_t i = 0; i < words.size(); ++i) classes_.intern(words.words()[i]);
  if (classes_.size() != words.size()) fail_damaged("a word has two classes");
  for (int32_t number : numbers) class_word_.push_back(known(number));
}

void NgramLm::map_tables(bool in_memory) {
  const auto lines = [&]<class Line>(uint32_t order, NgramTable<Line>& table) {
    auto mapped = container_.section<Line>("order." + std::to_string(order));
    if (mapped.empty() || mapped.size() >> 32 != 0 || facts_.reach[order - 1] >= mapped.size())
      fail_damaged("a table of n-grams has an impossible size");
    if (in_memory) {
      HugeArray<char>& copy = copies_.emplace_back(HugeArray<char>(mapped.size_bytes()));
      std::memcpy(copy.data(), mapped.data(), mapped.size_bytes());
      mapped = {reinterpret_cast<const Line*>(copy.data()), mapped.size()};
    }
    table = NgramTable<Line>(mapped, facts_.reach[order - 1]);
  };
  for (uint32_t order = 2; order < order_; ++order) lines(order, middle_[order]);
  if (order_ > 1) lines(order_, longest_);
}

void NgramLm::fail_damaged(const std::string& what) const {
  throw InputError("is damaged: " + what + "; build the model again", container_.path());
}

void NgramLm::use_classes(corpus::ClassMap classes) {
  class_word_ =
      corpus::class_numbers(classes, [&](std::string_view name) { return vocabulary_.find(name); }, unknown_);
  classes_ = std::move(classes.words);
}

int32_t NgramLm::find(std::string_view word) const {
  if (has_classes()) {
    const int32_t number = classes_.find(word);
    if (number >= 0) return class_word_[static_cast<size_t>(number)];
    if (word != "<s>" && word != "</s>") return unknown_;
  }
  const int32_t number = vocabulary_.find(word);
  return number < 0 ? unknown_ : number;
}

std::vector<int32_t> NgramLm::find_all(const Texts& words) const {
  std::vector<int32_t> numbers(words.size());
  for (size_t i = 0; i < words.size(); ++i) numbers[i] = find(words[i]);
  return numbers;
}

void NgramLm::score(std::span<const LmQuery> queries, std::span<float> scores, std::span<LmState> out) const {
  constexpr size_t kAhead = 8;  // number of queries being prefetched
  if (scores.size() != queries.size() || out.size() != queries.size())
    throw InputError("the arrays of scores and states must be as long as the queries");
  Probe probes[kAhead];
  const auto begin = [&](size_t i) {
    prepare(*queries[i].state, known(queries[i].word), probes[i % kAhead]);
  };
  for (size_t i = 0; i < std::min(kAhead, queries.size()); ++i) begin(i);
  for (size_t i = 0; i < queries.size(); ++i) {
    const LmQuery& query = queries[i];
    scores[i] = resolve(*query.state, known(query.word), probes[i % kAhead], out[i]).score;
    if (i + kAhead < queries.size()) begin(i + kAhead);
  }
}

float NgramLm::phrase_score(std::span<const int32_t> words) const {
  LmState states[2];
  float total = 0;
  for (size_t i = 0; i < words.size(); ++i) total += score(states[i % 2], words[i], states[(i + 1) % 2]);
  return total;
}

}  // namespace tunesmith::lm
