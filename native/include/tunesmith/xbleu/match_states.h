// N-gram matches with a reference, word by word, with the shortest history that decides all later ones.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/xbleu/forest_file.h"

namespace tunesmith::xbleu {

/// The n-grams of a reference of less than 65,536 different words, numbered from 1; 0 is any other word. A
/// history is the longest suffix of the words so far, of at most 3, that the reference has: 16 bits per word.
class MatchStates {
 public:
  static constexpr uint64_t kStart = 0;

  explicit MatchStates(std::span<const uint16_t> reference) {
    for (size_t begin = 0; begin < reference.size(); ++begin) {
      uint64_t ngram = 0;
      for (size_t n = 0; n < kMatchedOrder && begin + n < reference.size(); ++n)
        ngrams_.insert(ngram = ngram << 16 | reference[begin + n], 0);
    }
  }

  /// Adds the matches that a word ends, and returns the history after it.
  uint64_t append(uint64_t history, uint16_t word, std::array<uint8_t, kMatchedOrder>& matches) const {
    if (word == 0) return kStart;
    ++matches[0];
    uint64_t longest = word;
    for (size_t n = 1; n < kMatchedOrder; ++n) {
      const uint64_t before = history & ((uint64_t{1} << 16 * n) - 1);
      if (before >> 16 * (n - 1) == 0) break;  // the history is shorter
      const uint64_t ngram = before << 16 | word;
      if (ngrams_.find(ngram) == nullptr) break;
      ++matches[n];
      longest = ngram;
    }
    return longest & ((uint64_t{1} << 16 * (kMatchedOrder - 1)) - 1);
  }

 private:
  FlatMap<uint8_t> ngrams_;
};

}  // namespace tunesmith::xbleu
