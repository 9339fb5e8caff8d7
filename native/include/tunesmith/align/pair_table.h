// Table of the word pairs that co-occur in some sentence pair of a bitext, numbered.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/corpus/sentences.h"

namespace tunesmith::align {

/// Limit of cells (source words times target words) of a sentence pair; larger pairs are not used in
/// training, and get no posterior matrix.
constexpr int64_t kMostCells = int64_t{1} << 20;

inline bool has_cells(const corpus::Sentences& source, const corpus::Sentences& target, size_t pair) {
  const auto cells = static_cast<int64_t>(source[pair].size() * target[pair].size());
  return cells > 0 && cells <= kMostCells;
}

/// Pairs in CSR form: the target words of source word e are columns[rows[e], rows[e + 1]), sorted; a pair's
/// number is its position. The next three numbers stand for pairs that are not in the table.
class PairTable {
 public:
  PairTable() = default;
  /// Collects the pairs of a bitext by flagging, per source word, the target words of its sentences.
  /// O(cells), without hashing. More than 2^32 pairs are an InputError.
  PairTable(const corpus::Sentences& source, const corpus::Sentences& target, size_t source_words,
            size_t target_words, int threads);
  /// Throws InputError unless the rows do not fall and the columns are sorted and below `target_words`.
  PairTable(std::vector<int64_t> rows, std::vector<int32_t> columns, size_t target_words);

  size_t size() const { return columns_.size(); }
  size_t source_words() const { return rows_.empty() ? 0 : rows_.size() - 1; }
  size_t target_words() const { return target_words_; }
  std::span<const int64_t> rows() const { return rows_; }
  std::span<const int32_t> columns() const { return columns_; }

  /// The number of a pair; O(log row length). -1 is an unknown word.
  uint32_t find(int32_t source, int32_t target) const;
  /// Numbers of the special pairs: known words that do not co-occur, one unknown word, two unknown words.
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
