#include "tunesmith/align/pair_cells.h"

#include "tunesmith/base/errors.h"
#include "tunesmith/base/work_shares.h"
#include "tunesmith/corpus/occurrences.h"

namespace tunesmith::align {

namespace {

/// Cost of finding a pair by bisection, in steps along its row.
constexpr int64_t kBisection = 8;

}  // namespace

PairCells::PairCells(const PairTable& table, const corpus::Sentences& source, const corpus::Sentences& target)
    : table_(table), source_(source), target_(target), offsets_(source.size() + 1) {
  if (source.size() != target.size()) throw InputError("the two sides of a bitext differ in length");
  corpus::check_sentences(source, table.source_words(), -1);
  corpus::check_sentences(target, table.target_words(), -1);
  blocks_.push_back(0);
  for (size_t pair = 0; pair < source.size(); ++pair) {
    const bool has = has_cells(source, target, pair);
    offsets_[pair + 1] =
        offsets_[pair] + (has ? static_cast<int64_t>(source[pair].size() * target[pair].size()) : 0);
    if (offsets_[pair + 1] - offsets_[blocks_.back()] > kBlockCells) blocks_.push_back(pair);
  }
  blocks_.push_back(source.size());
}

void PairCells::fill(size_t block, int threads) {
  if (filled_ == block) return;
  filled_ = block;
  const size_t begin = blocks_[block], end = blocks_[block + 1];
  cells_.resize(static_cast<size_t>(offsets_[end] - offsets_[begin]));
  const corpus::Occurrences occurrences(source_, begin, end, table_.source_words(),
                                        [&](size_t pair) { return offsets_[pair + 1] > offsets_[pair]; });

  std::vector<int64_t> looked_up(occurrences.words()), work(occurrences.words());
  const auto rows = table_.rows();
  for (size_t e = 0; e < occurrences.words(); ++e) {
    for (const corpus::WordOccurrence at : occurrences[e])
      looked_up[e] += static_cast<int64_t>(target_[static_cast<size_t>(at.sentence)].size());
    const int64_t row = e + 1 < rows.size() ? rows[e + 1] - rows[e] : 0;
    work[e] = looked_up[e] + std::min(row, kBisection * looked_up[e]);
  }

  const auto borders = work_shares(work, kShares);
  parallel_chunks(borders.size() - 1, 1, threads, [&](size_t share, size_t, size_t) {
    std::vector<uint32_t> laid_out(table_.target_words(), UINT32_MAX);
    for (size_t e = borders[share]; e < borders[share + 1]; ++e) {
      if (looked_up[e] == 0) continue;
      const bool known = e < table_.source_words();
      const auto word = known ? static_cast<int32_t>(e) : -1;
      const auto first = static_cast<uint32_t>(known ? rows[e] : 0);
      const auto size = static_cast<uint32_t>(known ? rows[e + 1] - rows[e] : 0);
      const bool bisect = !known || kBisection * looked_up[e] < int64_t{size};
      if (!bisect)
        for (uint32_t k = first; k < first + size; ++k)
          laid_out[static_cast<size_t>(table_.columns()[k])] = k;
      for (const corpus::WordOccurrence at : occurrences[e]) {
        const auto sentence = target_[static_cast<size_t>(at.sentence)];
        uint32_t* cells = cells_.data() + (offsets_[static_cast<size_t>(at.sentence)] - offsets_[begin]) +
                          static_cast<int64_t>(at.position) * static_cast<int64_t>(sentence.size());
        for (size_t j = 0; j < sentence.size(); ++j) {
          if (bisect || sentence[j] < 0) {
            cells[j] = table_.find(word, sentence[j]);
          } else {
            // A stale entry of another row is outside of this row's range.
            const uint32_t found = laid_out[static_cast<size_t>(sentence[j])];
            cells[j] = found - first < size ? found : table_.unseen();
          }
        }
      }
    }
  });
}

}  // namespace tunesmith::align
