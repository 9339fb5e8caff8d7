// N-grams of a sentence's references, for matching against the yields of a forest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/sequence_pool.h"
#include "tunesmith/forest/context.h"
#include "tunesmith/metrics/bleu.h"

namespace tunesmith::forest {

/// Effective reference length of BLEU for a hypothesis of `length` words.
double compared_length(std::span<const uint32_t> references, metrics::ReferenceLength kind, double length);

/// N-grams of 1 to `order` words over word numbers of the references.
class ReferenceNgrams {
 public:
  static constexpr uint32_t kUnknown = SequencePool<int32_t>::kUnknown;

  /// Words are tokenized as BLEU does: a word of the forest counts as the number of its tokens between
  /// Unicode white space, none if it is empty.
  ReferenceNgrams(const Forest& forest, const Texts& references, size_t order);

  size_t order() const { return order_; }
  size_t size() const { return ngrams_.size(); }
  size_t word_count() const { return words_.size(); }
  /// The words of the references, by number.
  const TextColumn& vocabulary() const { return words_; }
  std::span<const int32_t> operator[](uint32_t ngram) const { return ngrams_[ngram]; }
  uint32_t find(std::span<const int32_t> ngram) const { return ngrams_.find(ngram); }
  /// Clipping limit: the largest count in any one reference.
  int32_t limit(uint32_t ngram) const { return limits_[ngram]; }
  /// Word numbers of the tokens of a target word of the forest; kBreak for one that no reference has.
  std::span<const int32_t> words(grammar::Symbol word) const {
    return spellings_[numbers_[static_cast<size_t>(word)]];
  }
  /// Number of words of a target side, gaps excluded.
  size_t own_words(std::span<const grammar::Symbol> target) const;

  /// Calls `visit(ngram)` for each new n-gram of a sequence that some reference has.
  template <class Visit>
  void matches(const YieldSequence& yield, Visit visit) const {
    yield.ngrams(order_, [&](std::span<const int32_t> words, bool is_new) {
      const uint32_t ngram = find(words);
      if (ngram != kUnknown && is_new) visit(ngram);
      return ngram != kUnknown;
    });
  }

  /// Shortens a context to what can be part of a match: the longest prefix of its left part and the longest
  /// suffix of its right part that a reference has.
  void cut(std::vector<int32_t>& context) const;

  /// View of contexts as far as references have them. Refers to this object.
  ContextView view() const {
    return {[this](grammar::Symbol word) { return words(word); },
            [this](std::vector<int32_t>& context) { cut(context); }};
  }

  /// Length of each reference in words.
  std::span<const uint32_t> lengths() const { return lengths_; }
  double length(metrics::ReferenceLength kind, double length) const {
    return compared_length(lengths_, kind, length);
  }

 private:
  size_t order_;
  TextColumn words_;
  std::vector<uint32_t> lengths_;
  Rows<int32_t> spellings_;
  std::vector<uint32_t> numbers_;  // row of `spellings_` of each word of the forest
  SequencePool<int32_t> ngrams_;
  std::vector<int32_t> limits_;
};

}  // namespace tunesmith::forest
