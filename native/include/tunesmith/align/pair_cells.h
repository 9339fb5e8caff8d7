// Word pair numbers of all cells of a bitext, looked up block by block.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/align/pair_table.h"
#include "tunesmith/base/huge_pages.h"
#include "tunesmith/base/parallel.h"

namespace tunesmith::align {

/// Prefetches the entry of a later cell, which hides most of the latency of random access.
template <class Table>
void prefetch_ahead(const Table& table, std::span<const uint32_t> cells, size_t at) {
  constexpr size_t kAhead = 24;
  if (at + kAhead < cells.size()) __builtin_prefetch(&table[cells[at + kAhead]]);
}

/// Looks up every cell of a bitext in a table without hashing: a source word's row is expanded once per
/// block, for all sentences of the block that have the word. Only one block of cells is in memory; a bitext
/// that fits into one block is looked up once, however often it is visited.
class PairCells {
 public:
  PairCells(const PairTable& table, const corpus::Sentences& source, const corpus::Sentences& target);

  /// For each chunk, on several threads: worker = make(), worker(pair, cells) for the chunk's pairs in order,
  /// worker.finish(). Cell (i, j) is cells[i * target length + j]. Skips pairs without, or with too many,
  /// cells.
  template <class Make>
  void visit(int threads, Make make) {
    for (size_t block = 0; block + 1 < blocks_.size(); ++block) {
      fill(block, threads);
      const size_t begin = blocks_[block];
      parallel_chunks(blocks_[block + 1] - begin, kChunk, threads, [&](size_t, size_t first, size_t last) {
        auto worker = make();
        for (size_t pair = begin + first; pair < begin + last; ++pair) {
          const auto cells = cells_of(pair, begin);
          if (!cells.empty()) worker(pair, cells);
        }
        worker.finish();
      });
    }
  }

  const corpus::Sentences& source() const { return source_; }
  const corpus::Sentences& target() const { return target_; }

 private:
  static constexpr size_t kChunk = 128;
  static constexpr size_t kShares = 256;
  static constexpr int64_t kBlockCells = int64_t{1} << 25;  // 128 MB

  void fill(size_t block, int threads);
  std::span<const uint32_t> cells_of(size_t pair, size_t begin) const {
    const int64_t first = offsets_[pair] - offsets_[begin];
    return std::span(cells_).subspan(static_cast<size_t>(first),
                                     static_cast<size_t>(offsets_[pair + 1] - offsets_[pair]));
  }

  const PairTable& table_;
  corpus::Sentences source_, target_;
  std::vector<int64_t> offsets_;  // number of cells before each pair
  std::vector<size_t> blocks_;    // the first pair of each block, and the end
  size_t filled_ = static_cast<size_t>(-1);
  HugeVector<uint32_t> cells_;
};

}  // namespace tunesmith::align
