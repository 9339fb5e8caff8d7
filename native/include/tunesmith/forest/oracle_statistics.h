// Statistics of partial yields, from which BLEU of the whole can be told: clipping included.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/reference_ngrams.h"

namespace tunesmith::forest {

/// How the statistics of a yield lie in a row of numbers: its words, the matches of each order whose
/// clipping cannot bind, and the count of each n-gram whose clipping can, up to its limit.
///
/// Clipping can bind where some derivation may have an n-gram more often than the references. Counts of
/// words are told exactly, by a recursion for each word; an n-gram comes at most as often as its words
/// allow. O(edges * words of the references).
class OracleStatistics {
 public:
  OracleStatistics(const Forest& forest, const ReferenceNgrams& references);

  size_t width() const { return limits_.size(); }
  /// How many n-grams are counted one by one.
  size_t clipped() const { return clipped_.size(); }

  static int32_t words(std::span<const int32_t> row) { return row[0]; }
  void add_words(std::span<int32_t> row, size_t count) const;
  void add_row(std::span<int32_t> row, std::span<const int32_t> other) const {
    for (size_t i = 0; i < limits_.size(); ++i) row[i] = std::min(row[i] + other[i], limits_[i]);
  }
  void add_match(std::span<int32_t> row, uint32_t ngram) const {
    const size_t place = places_[ngram];
    row[place] = std::min(row[place] + 1, limits_[place]);
  }

  /// Whether `a` has at least as many matches of every order as `b`, whatever words both are put among. More
  /// of an n-gram that is counted one by one may be clipped away in the end; less of it may count in full.
  bool at_least(std::span<const int32_t> a, std::span<const int32_t> b) const;

  /// [match_1, total_1, ..., match_n, total_n, reference length].
  void bleu(std::span<const int32_t> row, double reference_length, double* stats) const;

 private:
  const ReferenceNgrams& references_;
  std::vector<uint32_t> places_;   // of each n-gram, in a row
  std::vector<uint32_t> clipped_;  // the n-grams that have a place of their own
  std::vector<int32_t> limits_;    // of each place
};

}  // namespace tunesmith::forest
