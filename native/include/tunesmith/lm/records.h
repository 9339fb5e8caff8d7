// What an estimator knows of an n-gram, stage by stage.
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/lm/key.h"

namespace tunesmith::lm {

/// The numbers of the words that every model has.
constexpr int32_t kUnknownWord = 0, kSentenceBegin = 1, kSentenceEnd = 2;

constexpr int kMaxNgramOrder = 6;

/// How often it occurs; in suffix order.
template <int Parts>
struct CountedNgram {
  NgramKey<Parts> key;
  uint64_t count;

  void absorb(const CountedNgram& same) { count += same.count; }
};

/// Its adjusted count, and whether it will be left out; in context order.
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

/// A number of an n-gram: the weight of shorter contexts after it, or its probability; in suffix order.
template <int Parts>
struct ValuedNgram {
  NgramKey<Parts> key;
  double value;
};

/// Which n-grams are left out. `thresholds[n - 1]`: n-grams that occur at most so often; `words`: n-grams
/// that contain a word that is true here (it may be empty).
struct Pruning {
  std::vector<uint64_t> thresholds;
  std::vector<bool> words;

  bool word(uint32_t number) const { return !words.empty() && words[number]; }
};

}  // namespace tunesmith::lm
