// N-grams as a trie of suffixes: each is a word followed by an n-gram of the next lower order.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/base/errors.h"
#include "tunesmith/lm/state.h"
#include "tunesmith/lm/table.h"

namespace tunesmith::lm {

/// The n-grams of one order, in suffix order. 8 bytes per n-gram, and 4 per n-gram of the next lower order.
class TrieLevel {
 public:
  static constexpr uint32_t kNone = ~uint32_t{0};

  /// Number of the suffix in the next lower order, then the oldest word.
  static uint64_t key(uint32_t suffix, uint32_t word) { return uint64_t{suffix} << 32 | word; }

  TrieLevel() = default;
  /// Keys must ascend, with suffixes below `shorter`.
  TrieLevel(std::vector<uint64_t>&& keys, size_t shorter) : keys_(std::move(keys)), begins_(shorter + 1) {
    if (keys_.size() >= kNone)
      throw InputError(std::to_string(keys_.size()) +
                       " n-grams of one order; at most 4294967294 are allowed");
    for (const uint64_t key : keys_) ++begins_[(key >> 32) + 1];
    for (size_t i = 1; i < begins_.size(); ++i) begins_[i] += begins_[i - 1];
  }

  size_t size() const { return keys_.size(); }
  const std::vector<uint64_t>& keys() const { return keys_; }
  uint32_t suffix(size_t ngram) const { return static_cast<uint32_t>(keys_[ngram] >> 32); }
  uint32_t word(size_t ngram) const { return static_cast<uint32_t>(keys_[ngram]); }

  /// The n-gram of a word and a suffix; kNone if it is absent. O(log m) for m n-grams with this suffix.
  uint32_t find(uint32_t suffix, uint32_t word) const {
    const auto begin = keys_.begin() + begins_[suffix], end = keys_.begin() + begins_[suffix + 1];
    const auto found = std::lower_bound(begin, end, key(suffix, word));
    return found != end && *found == key(suffix, word) ? static_cast<uint32_t>(found - keys_.begin()) : kNone;
  }

 private:
  std::vector<uint64_t> keys_;
  std::vector<uint32_t> begins_;  // [s]: first n-gram with the suffix s
};

/// Calls visit(order, number, words) for each n-gram of levels, those of order n at [n - 1], order by order
/// in suffix order; words are oldest first.
template <class Visit>
void each_ngram(std::span<const TrieLevel> levels, Visit visit) {
  std::array<int32_t, kMaxLmOrder> words{};
  for (size_t n = 1; n <= levels.size(); ++n)
    for (size_t i = 0; i < levels[n - 1].size(); ++i) {
      size_t ngram = i;
      for (size_t at = 0; at < n; ++at) {
        const TrieLevel& level = levels[n - 1 - at];
        words[at] = static_cast<int32_t>(level.word(ngram));
        ngram = level.suffix(ngram);
      }
      visit(n, i, std::span<const int32_t>(words.data(), n));
    }
}

/// All n-grams of a model; [n - 1] is order n, and words are n-grams with the suffix 0.
struct SuffixTrie {
  std::vector<TrieLevel> levels;
  std::vector<std::vector<NgramWeights>> weights;  // of the n-grams of each level

  size_t order() const { return levels.size(); }
};

}  // namespace tunesmith::lm
