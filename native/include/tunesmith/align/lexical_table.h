// Translation probabilities of word pairs, both ways, and how they are learned from counts.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "tunesmith/align/pair_table.h"
#include "tunesmith/base/huge_pages.h"

namespace tunesmith::align {

/// A value for each of the two directions. Forward is p(target | source): each target word was made by a
/// source word or by no word. Reverse is p(source | target).
template <class T>
struct BothWays {
  T forward{};
  T reverse{};
};

/// No probability is less: smaller ones would be denormal numbers, and slow.
constexpr float kLeastProbability = 1e-30F;

/// p(f | e) and p(e | f) of the pairs of a table, and p(f | no word), p(e | no word).
struct LexicalTable {
  PairTable pairs;
  HugeVector<BothWays<float>> probabilities;  // by number of the pair, the special ones included
  std::vector<float> null_forward;            // by target word; one more for unknown words
  std::vector<float> null_reverse;            // by source word; one more for unknown words

  LexicalTable() = default;
  /// All pairs alike: 1 / words of the side that is predicted.
  explicit LexicalTable(PairTable table);

  float null_target(int32_t word) const {
    return null_forward[word < 0 ? null_forward.size() - 1 : static_cast<size_t>(word)];
  }
  float null_source(int32_t word) const {
    return null_reverse[word < 0 ? null_reverse.size() - 1 : static_cast<size_t>(word)];
  }
  /// Sets what pairs have that the table does not have, and unknown words. Two unknown words, often a
  /// name and its translation, go together rather than with a known word.
  void set_floors();
};

/// Expected counts in fixed point: sums of whole numbers do not depend on the order, so threads may add
/// as they come.
class LexicalCounts {
 public:
  LexicalCounts(const PairTable& pairs, int64_t tokens);

  /// 1 as a fixed-point number: the largest power of two with which all tokens together fit 62 bits.
  float one() const { return one_; }
  int64_t fixed(float count) const { return static_cast<int64_t>(count * one_); }

  template <bool kShared>
  static void add(int64_t& sum, int64_t count) {
    if constexpr (kShared)
      std::atomic_ref<int64_t>(sum).fetch_add(count, std::memory_order_relaxed);
    else
      sum += count;
  }

  HugeVector<BothWays<int64_t>> pairs;
  std::vector<int64_t> null_forward, null_reverse;

 private:
  float one_;
};

/// How counts become probabilities: (c + pseudo) / sum(c + pseudo), or, for variational Bayes with a
/// symmetric Dirichlet prior (MacKay and Peto 1995; Johnson 2007), exp(psi(c + pseudo)) / exp(psi(sum)).
struct Smoothing {
  bool bayes = true;
  double pseudo = 0.01;
};

/// The M step, both ways; sets the counts to zero. A word without any counts keeps an even distribution.
void maximize(LexicalTable& table, LexicalCounts& counts, const Smoothing& smoothing, int threads);

}  // namespace tunesmith::align
