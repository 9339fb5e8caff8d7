// Additive BLEU statistics of partial yields, with exact clipping.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/reference_ngrams.h"

namespace tunesmith::forest::oracles {

/// Layout of the statistics of a yield as a row of numbers: its length, the matches of each order whose
/// clipping cannot bind, and the count of each n-gram whose clipping can, up to its limit.
///
/// Clipping can bind if some derivation may have an n-gram more often than the references. The largest count
/// of each word is computed exactly, by one recursion per word; it bounds the count of n-grams with the word.
/// O(edges * words of the references).
class OracleStatistics {
 public:
  OracleStatistics(const Forest& forest, const ReferenceNgrams& references);

  size_t width() const { return limits_.size(); }
  /// Number of n-grams that are counted individually.
  size_t clipped() const { return clipped_.size(); }

  static int32_t words(std::span<const int32_t> row) { return row[0]; }
  void add_words(std::span<int32_t> row, size_t count) const;
  void add_row(std::span<int32_t> row, std::span<const int32_t> other) const {
    for (size_t i = 0; i < limits_.size(); ++i) row[i] = std::min(row[i] + other[i], limits_[i]);
  }
  void add_match(std::span<int32_t> row, uint32_t ngram) const {
    const size_t slot = slots_[ngram];
    row[slot] = std::min(row[slot] + 1, limits_[slot]);
  }

  /// Whether `a` has at least as many matches of every order as `b` in any surrounding words. A larger count
  /// of an individually counted n-gram may be clipped in the end; a smaller one may count in full.
  bool at_least(std::span<const int32_t> a, std::span<const int32_t> b) const;

  /// [match_1, total_1, ..., match_n, total_n, reference length].
  void bleu(std::span<const int32_t> row, double reference_length, double* stats) const;

 private:
  const ReferenceNgrams& references_;
  std::vector<uint32_t> slots_;    // of each n-gram, in a row
  std::vector<uint32_t> clipped_;  // order of each n-gram with a slot of its own
  std::vector<int32_t> limits_;    // of each slot
};

}  // namespace tunesmith::forest::oracles
