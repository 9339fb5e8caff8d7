// Memory-mapped back-off language model: n-grams in hash tables, minimal states, after KenLM (Heafield 2011).
#pragma once

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/huge_array.h"
#include "tunesmith/corpus/class_map.h"
#include "tunesmith/corpus/vocabulary.h"
#include "tunesmith/lm/state.h"
#include "tunesmith/lm/table.h"

namespace tunesmith::lm {

constexpr char kNgramLmKind[] = "ngramlm";
constexpr uint32_t kNgramLmVersion = 1;

/// Header of a model file.
struct NgramLmFacts {
  uint64_t order = 0;
  uint64_t unknown = 0, begin = 0, end = 0;  // the words <unk>, <s> and </s>
  uint64_t counts[kMaxLmOrder] = {};         // n-grams of each order
  uint64_t blanks[kMaxLmOrder] = {};         // n-grams added so that longer ones can be found
  uint64_t reach[kMaxLmOrder] = {};          // of the tables
};

struct LmScore {
  float score;      // natural log; finite, with kImpossibleScore in the place of log 0
  uint32_t order;   // of the matching n-gram
  bool open;        // the match has all words of the state and is the suffix of a longer n-gram
  bool impossible;  // the matching n-gram has probability 0

  /// Natural log of the probability, which may be -inf.
  float log_probability() const { return impossible ? -std::numeric_limits<float>::infinity() : score; }
};

/// One word after a state.
struct LmQuery {
  const LmState* state;
  int32_t word;
};

/// Scores are natural logs of p(word | words before it),
///   p(w | c) = p of the longest n-gram (suffix of c, w) in the model * back-offs of all longer contexts.
/// Words are numbers of the model's vocabulary; any other number is the unknown word.
class NgramLm {
 public:
  /// Maps a file. `in_memory` copies its tables to huge pages: opening takes longer and processes do not
  /// share the memory, but very large models cause fewer TLB misses.
  explicit NgramLm(const std::string& path, bool in_memory = false);
  NgramLm(const NgramLm&) = delete;
  NgramLm& operator=(const NgramLm&) = delete;

  uint32_t order() const { return order_; }
  size_t size() const { return unigrams_.size(); }  // words of the vocabulary
  int32_t unknown() const { return unknown_; }
  int32_t sentence_end() const { return static_cast<int32_t>(facts_.end); }
  const NgramLmFacts& facts() const { return facts_; }
  const corpus::VocabularyView& vocabulary() const { return vocabulary_; }
  void verify() const { container_.verify(); }
  const std::string& path() const { return container_.path(); }

  /// From now on, `find` looks up a word's class. Throws InputError if the model has none of the classes.
  void use_classes(corpus::ClassMap classes);
  bool has_classes() const { return classes_.size() > 0; }
  /// The number of a word, or of its class; the unknown word's if the model does not have it.
  int32_t find(std::string_view word) const;
  /// The same for many words, such as those of another vocabulary.
  std::vector<int32_t> find_all(const Texts& words) const;

  LmState begin_state() const { return begin_state_; }
  LmState empty_state() const { return {}; }

  /// At most one look-up per order, all prefetched at once. `out` must not be `in`.
  float score(const LmState& in, int32_t word, LmState& out) const { return full_score(in, word, out).score; }
  LmScore full_score(const LmState& in, int32_t word, LmState& out) const {
    Probe probe;
    word = known(word);
    prepare(in, word, probe);
    return resolve(in, word, probe, out);
  }
  /// Many independent queries: memory for later queries is prefetched while earlier ones are computed.
  void score(std::span<const LmQuery> queries, std::span<float> scores, std::span<LmState> out) const;

  /// The score of words without context, for future cost estimates as in Moses.
  float phrase_score(std::span<const int32_t> words) const;

  int32_t known(int32_t word) const {
    return static_cast<uint32_t>(word) < unigrams_.size() ? word : unknown_;
  }
  NgramWeights unigram(int32_t word) const { return unigrams_[static_cast<size_t>(word)]; }
  /// The n-gram of an order >= 2 with this hash. N-grams of the highest order have no back-off.
  std::optional<NgramWeights> find_ngram(uint32_t order, uint64_t hash) const {
    if (order == order_) {
      const float* found = longest_.find(hash);
      return found == nullptr ? std::nullopt : std::optional<NgramWeights>({*found, kForgettable});
    }
    const NgramWeights* found = middle_[order].find(hash);
    return found == nullptr ? std::nullopt : std::optional<NgramWeights>(*found);
  }
  /// Calls visit(hash, weights) for each n-gram of an order >= 2, blanks included, in the order of its table.
  template <class Visit>
  void each_ngram(uint32_t order, Visit visit) const {
    if (order == order_)
      longest_.each([&](uint64_t hash, float value) { visit(hash, NgramWeights{value, kForgettable}); });
    else
      middle_[order].each(visit);
  }

 private:
  struct Probe {
    uint64_t hashes[kMaxLmOrder - 1];  // [i]: of the word preceded by the i + 1 newest words of the state
  };

  void prepare(const LmState& in, int32_t word, Probe& probe) const;
  LmScore resolve(const LmState& in, int32_t word, const Probe& probe, LmState& out) const;
  void map_tables(bool in_memory);
  [[noreturn]] void fail_damaged(const std::string& what) const;

  Container container_;
  NgramLmFacts facts_;
  corpus::VocabularyView vocabulary_;
  uint32_t order_ = 0;
  int32_t unknown_ = 0;
  std::span<const NgramWeights> unigrams_;
  std::array<NgramTable<MiddleLine>, kMaxLmOrder> middle_;  // by order, from 2 to order - 1
  NgramTable<LongestLine> longest_;
  std::vector<HugeArray<char>> copies_;
  LmState begin_state_;
  NameTable classes_;                // words that have a class
  std::vector<int32_t> class_word_;  // the number of their class in the model's vocabulary
};

/// Defined here to be inlined: queries dominate decoding time.
inline void NgramLm::prepare(const LmState& in, int32_t word, Probe& probe) const {
  __builtin_prefetch(&unigrams_[static_cast<size_t>(word)]);
  uint64_t hash = hash_word(word);
  for (uint32_t i = 0; i < in.length; ++i) {
    probe.hashes[i] = hash = extend_hash(hash, in.words[i]);
    if (i + 2 == order_)
      longest_.prefetch(hash);
    else
      middle_[i + 2].prefetch(hash);
  }
}

inline LmScore NgramLm::resolve(const LmState& in, int32_t word, const Probe& probe, LmState& out) const {
  NgramWeights longest = unigrams_[static_cast<size_t>(word)];
  out.words[0] = word;
  out.backoffs[0] = longest.backoff;
  out.length = extends_right(longest.backoff) ? 1 : 0;
  uint32_t found = 1;  // the order of `longest`
  for (; found <= in.length && extends_left(longest.probability); ++found) {
    if (found + 1 == order_) {
      const float* probability = longest_.find(probe.hashes[found - 1]);
      if (probability == nullptr) break;
      longest.probability = *probability;
      ++found;
      break;
    }
    const NgramWeights* longer = middle_[found + 1].find(probe.hashes[found - 1]);
    if (longer == nullptr) break;
    longest = *longer;
    out.words[found] = in.words[found - 1];
    out.backoffs[found] = longest.backoff;
    if (extends_right(longest.backoff)) out.length = found + 1;
  }
  float score = finite_log_probability(longest.probability);
  for (uint32_t i = found - 1; i < in.length; ++i) score += in.backoffs[i];
  // No n-gram is longer than the highest order, even if a damaged file claims so.
  const bool open = found < order_ && found > in.length && extends_left(longest.probability);
  return {score, found, open, impossible(longest.probability)};
}

}  // namespace tunesmith::lm
