// Records of n-grams in the stages of estimation.
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/lm/key.h"

namespace tunesmith::lm {

/// Numbers of the words that every model has.
constexpr int32_t kUnknownWord = 0, kSentenceBegin = 1, kSentenceEnd = 2;

constexpr int kMaxNgramOrder = 6;

/// Count; in suffix order.
template <int Parts>
struct CountedNgram {
  NgramKey<Parts> key;
  uint64_t count;

  void absorb(const CountedNgram& same) { count += same.count; }
};

/// Adjusted count, and whether the n-gram is pruned; in context order.
template <int Parts>
struct AdjustedNgram {
  NgramKey<Parts> key;
  uint64_t count : 63;
  uint64_t pruned : 1;
};

/// p(word | context) = own + weight * p(word | shorter context); in suffix order.
template <int Parts>
struct WeightedNgram {
  NgramKey<Parts> key;
  float own;
  float weight;
};

/// A value: the back-off weight of the n-gram as a context, or its probability; in suffix order.
template <int Parts>
struct ValuedNgram {
  NgramKey<Parts> key;
  double value;
};

/// Which n-grams are pruned: those of order n that occur at most `thresholds[n - 1]` times, and those that
/// contain a word w with `words[w]` (may be empty: no such word).
struct Pruning {
  std::vector<uint64_t> thresholds;
  std::vector<bool> words;

  bool word(uint32_t number) const { return !words.empty() && words[number]; }
};

}  // namespace tunesmith::lm
