// The word pairs that occur together in some sentence pair of a bitext, each with a number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/corpus/sentences.h"

namespace tunesmith::align {

/// Sentence pairs of more cells (source words times target words) are no sentences: nothing is learned
/// from them, and no matrix is made of them.
constexpr int64_t kMostCells = int64_t{1} << 20;

inline bool has_cells(const corpus::Sentences& source, const corpus::Sentences& target, size_t pair) {
  const auto cells = static_cast<int64_t>(source[pair].size() * target[pair].size());
  return cells > 0 && cells <= kMostCells;
}

/// Pairs in CSR: those of source word e are columns[rows[e], rows[e + 1]), sorted, and their numbers are
/// their positions. Three numbers follow that stand for pairs that the table does not have.
class PairTable {
 public:
  PairTable() = default;
  /// Collects the pairs of a bitext: for each source word, a mark on each target word of its sentences.
  /// O(cells), without hashing. Throws InputError beyond 2^32 pairs.
  PairTable(const corpus::Sentences& source, const corpus::Sentences& target, size_t source_words,
            size_t target_words, int threads);
  /// Throws InputError unless the rows are in order and the columns sorted and below `target_words`.
  PairTable(std::vector<int64_t> rows, std::vector<int32_t> columns, size_t target_words);

  size_t size() const { return columns_.size(); }
  size_t source_words() const { return rows_.empty() ? 0 : rows_.size() - 1; }
  size_t target_words() const { return target_words_; }
  std::span<const int64_t> rows() const { return rows_; }
  std::span<const int32_t> columns() const { return columns_; }

  /// The number of a pair; O(log of the row). -1 is an unknown word.
  uint32_t find(int32_t source, int32_t target) const;
  /// The number of a pair of known words that never met, of a pair with one unknown word, with two.
  uint32_t unseen() const { return static_cast<uint32_t>(size()); }
  uint32_t half_unknown() const { return static_cast<uint32_t>(size() + 1); }
  uint32_t unknown() const { return static_cast<uint32_t>(size() + 2); }
  static constexpr size_t kSpecial = 3;

 private:
  std::vector<int64_t> rows_{0};
  std::vector<int32_t> columns_;
  size_t target_words_ = 0;
};

}  // namespace tunesmith::align
