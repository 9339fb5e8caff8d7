#include "tunesmith/lm/model_builder.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"

namespace tunesmith::lm {

namespace {

float natural(float log10) { return static_cast<float>(log10 * std::numbers::ln10); }

/// Words are oldest first.
uint64_t hash_ngram(std::span<const int32_t> words) {
  uint64_t hash = hash_word(words.back());
  for (size_t i = words.size() - 1; i-- > 0;) hash = extend_hash(hash, words[i]);
  return hash;
}

uint64_t find_mark(const corpus::Vocabulary& words, std::string_view mark) {
  const int32_t number = words.find(mark);
  if (number < 0) throw InputError("the model has no " + quoted(mark) + "; expected it among its words");
  return static_cast<uint64_t>(number);
}

}  // namespace

NgramLmBuilder::NgramLmBuilder(const std::string& path, corpus::ClassMap classes)
    : path_(path), classes_(std::move(classes)) {}

void NgramLmBuilder::begin(const Texts& words, std::span<const uint64_t> counts) {
  if (order_ != 0) throw InputError("this builder was already used; make a new one");
  if (counts.empty() || counts.size() > kMaxLmOrder)
    throw InputError("a language model of order " + std::to_string(counts.size()) +
                     "; this build takes orders from 1 to " + std::to_string(kMaxLmOrder));
  if (counts[0] != words.size())
    throw InputError("a vocabulary of " + std::to_string(words.size()) + " words with " +
                     std::to_string(counts[0]) + " unigrams; expected the same number");
  order_ = static_cast<uint32_t>(counts.size());
  for (size_t i = 0; i < words.size(); ++i)
    if (words_.intern(words[i]) != static_cast<int32_t>(i))
      throw InputError("the word " + quoted(words[i]) + " occurs twice in the vocabulary");
  facts_.order = order_;
  facts_.unknown = find_mark(words_, "<unk>");
  facts_.begin = find_mark(words_, "<s>");
  facts_.end = find_mark(words_, "</s>");
  std::copy(counts.begin(), counts.end(), facts_.counts);
  unigrams_.assign(words.size(), {std::numeric_limits<float>::quiet_NaN(), 0});
  for (uint32_t order = 2; order < order_; ++order)
    middle_[order] = NgramTableBuilder<MiddleLine>(counts[order - 1]);
  if (order_ > 1) longest_ = NgramTableBuilder<LongestLine>(counts[order_ - 1]);
}

void NgramLmBuilder::add(std::span<const int32_t> words, float log10_probability, float log10_backoff) {
  const auto fail = [&](const std::string& what) {
    std::string text;
    for (int32_t word : words)
      if (static_cast<size_t>(word) < words_.size())
        text.append(text.empty() ? 0 : 1, ' ').append(words_[word]);
    throw InputError("the n-gram " + quoted(text) + " " + what);
  };
  while (words.size() > adding_ && adding_ < order_) close_order();
  if (words.size() != adding_)
    fail("has " + std::to_string(words.size()) + " words; expected n-grams of order " +
         std::to_string(adding_));
  for (int32_t word : words)
    if (static_cast<size_t>(word) >= words_.size()) fail("has a word that is not in the vocabulary");
  if (!(log10_probability <= 0) || !std::isfinite(log10_backoff))
    fail("needs a log10 probability of at most 0 and a finite back-off");

  // Nothing follows </s>.
  const bool last = adding_ == order_ || static_cast<uint64_t>(words.back()) == facts_.end;
  // The signs of a probability and of a zero back-off flag longer n-grams: none so far.
  const NgramWeights weights{std::copysign(natural(log10_probability), -1.0F),
                             last || log10_backoff == 0 ? kForgettable : natural(log10_backoff)};
  ++added_;
  if (adding_ == 1) {
    NgramWeights& word = unigrams_[static_cast<size_t>(words[0])];
    if (!std::isnan(word.probability)) fail("occurs twice");
    word = weights;
    return;
  }
  Pending pending;
  pending.suffix = hash_ngram(words.subspan(1));
  pending.prefix = hash_ngram(words.first(adding_ - 1));
  const uint64_t hash = extend_hash(pending.suffix, words[0]);
  if (adding_ == order_ ? !longest_.insert(hash, weights.probability)
                        : !middle_[adding_].insert(hash, weights))
    fail("occurs twice");
  std::copy(words.begin(), words.end(), pending.words);
  if (adding_ > 2) {
    middle_[adding_ - 1].prefetch(pending.prefix);
    middle_[adding_ - 1].prefetch(pending.suffix);
  }
  pending_.push_back(pending);
  if (pending_.size() == kPending) mark_pending();
}

void NgramLmBuilder::mark_pending() {
  for (const Pending& each : pending_) mark({each.words, adding_}, each.prefix, each.suffix);
  pending_.clear();
}

/// Flags in the weights of an n-gram's context and suffix that a longer n-gram extends them.
void NgramLmBuilder::mark(std::span<const int32_t> words, uint64_t prefix, uint64_t suffix) {
  NgramWeights& context = require(words.first(words.size() - 1), prefix);
  if (context.backoff == 0) context.backoff = 0;  // no longer -0
  NgramWeights& ending = require(words.subspan(1), suffix);
  ending.probability = std::abs(ending.probability);
}

/// The weights of an n-gram, inserted as a blank if absent; valid until the next call.
NgramWeights& NgramLmBuilder::require(std::span<const int32_t> words, uint64_t hash) {
  if (words.size() == 1) return unigrams_[static_cast<size_t>(words[0])];
  NgramTableBuilder<MiddleLine>& table = middle_[words.size()];
  if (NgramWeights* found = table.find(hash)) return *found;
  const auto context = words.first(words.size() - 1), ending = words.subspan(1);
  const uint64_t prefix = hash_ngram(context), suffix = hash_ngram(ending);
  mark(words, prefix, suffix);
  const float backoff = require(context, prefix).backoff;
  const float probability = log_probability(require(ending, suffix).probability) + backoff;
  // A back-off above 1 could give a blank a probability above 1.
  table.insert(hash, {std::copysign(std::min(probability, 0.0F), -1.0F), kForgettable});
  ++facts_.blanks[words.size() - 1];
  return *table.find(hash);
}

void NgramLmBuilder::close_order() {
  mark_pending();
  if (added_ != facts_.counts[adding_ - 1])
    throw InputError("order " + std::to_string(adding_) + " has " + std::to_string(added_) +
                     " n-grams; expected " + std::to_string(facts_.counts[adding_ - 1]));
  ++adding_;
  added_ = 0;
}

void NgramLmBuilder::end() {
  if (order_ == 0) throw InputError("no model was begun; call begin() first");
  while (adding_ <= order_) close_order();
  write();
}

void NgramLmBuilder::write() {
  for (uint32_t order = 2; order < order_; ++order) facts_.reach[order - 1] = middle_[order].reach();
  if (order_ > 1) facts_.reach[order_ - 1] = longest_.reach();
  ContainerWriter writer(path_, kNgramLmKind, kNgramLmVersion);
  writer.add<NgramLmFacts>("facts", std::span<const NgramLmFacts>(&facts_, 1));
  corpus::write_vocabulary(writer, "words", words_.names().view());
  writer.add<NgramWeights>("order.1", unigrams_);
  for (uint32_t order = 2; order < order_; ++order)
    writer.add<MiddleLine>("order." + std::to_string(order), middle_[order].lines());
  if (order_ > 1) writer.add<LongestLine>("order." + std::to_string(order_), longest_.lines());
  if (!classes_.empty()) {
    const auto numbers = corpus::class_numbers(
        classes_, [&](std::string_view name) { return words_.find(name); },
        static_cast<int32_t>(facts_.unknown));
    corpus::write_vocabulary(writer, "classes", classes_.words.names().view());
    writer.add<int32_t>("classes.numbers", numbers);
  }
  writer.finish();
}

}  // namespace tunesmith::lm
