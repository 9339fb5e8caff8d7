#include "tunesmith/align/pair_table.h"

#include <algorithm>
#include <limits>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/base/texts.h"
#include "tunesmith/base/work_shares.h"
#include "tunesmith/corpus/occurrences.h"

namespace tunesmith::align {

namespace {

constexpr size_t kShares = 256;

void check_size(size_t pairs) {
  if (pairs > std::numeric_limits<uint32_t>::max() - PairTable::kSpecial)
    throw InputError("more than 2^32 different word pairs; train on a part of the text");
}

}  // namespace

PairTable::PairTable(const corpus::Sentences& source, const corpus::Sentences& target, size_t source_words,
                     size_t target_words, int threads)
    : rows_(source_words + 1), target_words_(target_words) {
  const corpus::Occurrences occurrences(source, 0, source.size(), source_words,
                                        [&](size_t s) { return has_cells(source, target, s); });
  std::vector<int64_t> work(source_words);
  for (size_t e = 0; e < source_words; ++e)
    for (const corpus::WordOccurrence at : occurrences[e])
      work[e] += static_cast<int64_t>(target[static_cast<size_t>(at.sentence)].size());

  const auto borders = work_shares(work, kShares);
  std::vector<std::vector<int32_t>> columns(borders.size() - 1);
  parallel_chunks(columns.size(), 1, threads, [&](size_t share, size_t, size_t) {
    std::vector<int32_t>& mine = columns[share];
    std::vector<int32_t> seen_with(target_words, -1);
    for (size_t e = borders[share]; e < borders[share + 1]; ++e) {
      const auto word = static_cast<int32_t>(e);
      const size_t begin = mine.size();
      int32_t last = -1;
      for (const corpus::WordOccurrence at : occurrences[e]) {
        if (at.sentence == last) continue;
        last = at.sentence;
        for (const int32_t f : target[static_cast<size_t>(at.sentence)])
          if (f >= 0 && seen_with[static_cast<size_t>(f)] != word) {
            seen_with[static_cast<size_t>(f)] = word;
            mine.push_back(f);
          }
      }
      std::sort(mine.begin() + static_cast<std::ptrdiff_t>(begin), mine.end());
      rows_[e + 1] = static_cast<int64_t>(mine.size() - begin);
    }
  });
  for (size_t e = 0; e < source_words; ++e) rows_[e + 1] += rows_[e];
  check_size(static_cast<size_t>(rows_.back()));
  columns_.reserve(static_cast<size_t>(rows_.back()));
  for (auto& part : columns) {
    columns_.insert(columns_.end(), part.begin(), part.end());
    std::vector<int32_t>().swap(part);
  }
}

PairTable::PairTable(std::vector<int64_t> rows, std::vector<int32_t> columns, size_t target_words)
    : rows_(std::move(rows)), columns_(std::move(columns)), target_words_(target_words) {
  check_offsets(rows_, columns_.size(), "word pairs");
  check_size(columns_.size());
  for (size_t e = 0; e + 1 < rows_.size(); ++e)
    for (auto k = static_cast<size_t>(rows_[e]); k < static_cast<size_t>(rows_[e + 1]); ++k) {
      const bool sorted = k == static_cast<size_t>(rows_[e]) || columns_[k - 1] < columns_[k];
      if (!sorted || columns_[k] < 0 || static_cast<size_t>(columns_[k]) >= target_words)
        throw InputError("a table of word pairs is damaged: its columns are unsorted or out of range");
    }
}

uint32_t PairTable::find(int32_t source, int32_t target) const {
  const bool known = source >= 0 && static_cast<size_t>(source) < source_words();
  if (!known || target < 0) return known || target >= 0 ? half_unknown() : unknown();
  const auto begin = columns_.begin() + rows_[static_cast<size_t>(source)];
  const auto end = columns_.begin() + rows_[static_cast<size_t>(source) + 1];
  const auto at = std::lower_bound(begin, end, target);
  return at == end || *at != target ? unseen() : static_cast<uint32_t>(at - columns_.begin());
}

}  // namespace tunesmith::align
