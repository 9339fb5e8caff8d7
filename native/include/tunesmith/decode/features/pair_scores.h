// Mapped scores of a phrase table's pairs, beside the table: a few numbers per pair, equal rows stored once.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "tunesmith/base/container.h"
#include "tunesmith/tables/phrase_table.h"

namespace tunesmith::decode::features {

/// Rows of scores by number of the pair. Opening is O(1); numbers are checked where they are used.
class PairScores {
 public:
  static constexpr std::string_view kKind = "pairrows";
  static constexpr uint32_t kVersion = 1;

  explicit PairScores(const std::string& path);

  const std::string& path() const { return container_.path(); }
  size_t size() const { return pairs_.size(); }
  size_t width() const { return width_; }
  size_t row_count() const { return width_ == 0 ? 0 : rows_.size() / width_; }
  /// Throws InputError unless the file was made for this table, with rows of this width.
  void check(const tables::PhraseTable& table, size_t width) const;
  std::span<const float> operator[](uint32_t pair) const {
    if (pair >= pairs_.size()) damaged("the number of a pair");
    const size_t begin = size_t{pairs_[pair]} * width_;
    if (begin + width_ > rows_.size()) damaged("the number of a row");
    return rows_.subspan(begin, width_);
  }

 private:
  [[noreturn]] void damaged(const char* what) const;

  Container container_;
  std::span<const uint32_t> pairs_;  // numbers of their rows
  std::span<const float> rows_;
  size_t width_ = 0;
};

/// Computes the row of a pair of a table; called by several threads.
using RowOfPair = std::function<void(std::span<const int32_t> source, uint32_t pair, std::span<float> row)>;

/// Writes the rows of all pairs of a table, atomically. The file does not depend on the number of threads.
/// O(pairs) calls; memory is 4 bytes per pair and the distinct rows.
void write_pair_scores(const tables::PhraseTable& table, size_t width, const RowOfPair& row, int threads,
                       const std::string& path);

}  // namespace tunesmith::decode::features
