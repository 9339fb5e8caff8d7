#include "tunesmith/pool_merge.h"

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "tunesmith/errors.h"
#include "tunesmith/parallel.h"
#include "tunesmith/text.h"

namespace tunesmith {

namespace {

constexpr size_t kListsAChunk = 16;

struct Candidate {
  const PoolPart* part;
  size_t row;

  bool has_text() const { return part->texts.size() > 0; }
  std::string_view text() const { return part->texts[row]; }
  std::span<const double> scores() const { return {part->scores.row(row), part->scores.width}; }
};

using Entries = std::vector<std::pair<int32_t, double>>;

/// The features of a candidate in the columns of the union, rising.
void mapped(const Candidate& candidate, Entries& out) {
  const Csr& features = candidate.part->lists.features;
  out.clear();
  bool rising = true;
  for (int64_t k = features.offsets[candidate.row]; k < features.offsets[candidate.row + 1]; ++k) {
    const int32_t column = candidate.part->columns[static_cast<size_t>(features.columns[k])];
    rising = rising && (out.empty() || out.back().first < column);
    out.emplace_back(column, features.values[k]);
  }
  if (!rising)
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
}

/// The same without zeros: equal vectors have equal entries.
void canonical(const Candidate& candidate, Entries& out) {
  mapped(candidate, out);
  std::erase_if(out, [](const auto& entry) { return entry.second == 0; });
}

uint64_t hash(const Candidate& candidate, const Entries& entries) {
  uint64_t value = candidate.has_text() ? hash_bytes(candidate.text()) : 0;
  if (!candidate.has_text())
    for (const double score : candidate.scores()) value = mix(value, std::bit_cast<uint64_t>(score + 0.0));
  for (const auto& [column, weight] : entries) {
    value = mix(value, static_cast<uint64_t>(column));
    value = mix(value, std::bit_cast<uint64_t>(weight));
  }
  return value;
}

/// Keeps the first of equal candidates; the buffers live from list to list.
class Distinct {
 public:
  void filter(const std::vector<Candidate>& candidates, std::vector<Candidate>& kept) {
    const size_t mask = std::bit_ceil(2 * candidates.size() + 1) - 1;
    slots_.assign(mask + 1, nullptr);
    hashes_.assign(mask + 1, 0);
    for (const Candidate& candidate : candidates) {
      canonical(candidate, entries_);
      const uint64_t code = hash(candidate, entries_);
      size_t at = code & mask;
      while (slots_[at] != nullptr && !(hashes_[at] == code && same(candidate, *slots_[at])))
        at = (at + 1) & mask;
      if (slots_[at] != nullptr) continue;
      slots_[at] = &candidate;
      hashes_[at] = code;
      kept.push_back(candidate);
    }
  }

 private:
  /// Compares with the candidate whose entries are at hand.
  bool same(const Candidate& candidate, const Candidate& other) {
    if (candidate.has_text() ? candidate.text() != other.text()
                             : !std::ranges::equal(candidate.scores(), other.scores()))
      return false;
    canonical(other, other_entries_);
    return entries_ == other_entries_;
  }

  std::vector<const Candidate*> slots_;
  std::vector<uint64_t> hashes_;
  Entries entries_, other_entries_;
};

void check(const std::vector<PoolPart>& parts, size_t lists) {
  for (const PoolPart& part : parts) {
    const size_t rows = part.lists.features.rows();
    check_offsets(part.lists.offsets, rows, "candidate lists");
    if (part.targets.size() != part.lists.size() || part.columns.size() != part.lists.features.width ||
        (part.texts.size() != 0 && part.texts.size() != rows) ||
        (part.scores.width != 0 && part.scores.rows() != rows))
      throw InputError("the arrays of a pool to merge do not fit together");
    for (const int64_t target : part.targets)
      if (target < 0 || static_cast<size_t>(target) >= lists)
        throw InputError("a pool to merge has list " + std::to_string(target) + ", outside the union");
  }
}

/// The lists of all parts that go into each list of the union, in the order of the parts.
std::vector<std::vector<std::pair<const PoolPart*, size_t>>> sources(const std::vector<PoolPart>& parts,
                                                                     size_t lists) {
  std::vector<std::vector<std::pair<const PoolPart*, size_t>>> result(lists);
  for (const PoolPart& part : parts)
    for (size_t g = 0; g < part.targets.size(); ++g)
      result[static_cast<size_t>(part.targets[g])].emplace_back(&part, g);
  return result;
}

}  // namespace

MergedPool merge_pools(const std::vector<PoolPart>& parts, size_t lists, int threads) {
  check(parts, lists);
  const auto from = sources(parts, lists);
  std::vector<std::vector<Candidate>> kept(lists);
  parallel_chunks(lists, kListsAChunk, threads, [&](size_t, size_t begin, size_t end) {
    Distinct distinct;
    std::vector<Candidate> candidates;
    for (size_t list = begin; list < end; ++list) {
      candidates.clear();
      for (const auto& [part, g] : from[list])
        for (int64_t row = part->lists.offsets[g]; row < part->lists.offsets[g + 1]; ++row)
          candidates.push_back({part, static_cast<size_t>(row)});
      distinct.filter(candidates, kept[list]);
    }
  });

  MergedPool merged;
  merged.lists.push_back(0);
  merged.offsets.push_back(0);
  size_t text_bytes = 0;
  for (const auto& list : kept) {
    for (const Candidate& candidate : list) {
      const auto& offsets = candidate.part->lists.features.offsets;
      merged.offsets.push_back(merged.offsets.back() + offsets[candidate.row + 1] - offsets[candidate.row]);
      if (candidate.has_text()) text_bytes += candidate.text().size();
    }
    merged.lists.push_back(static_cast<int64_t>(merged.offsets.size()) - 1);
  }
  std::vector<int64_t> starts{0};  // of the parts, laid one after another
  for (const PoolPart& part : parts)
    starts.push_back(starts.back() + static_cast<int64_t>(part.lists.features.rows()));
  merged.columns.reserve(static_cast<size_t>(merged.offsets.back()));
  merged.values.reserve(static_cast<size_t>(merged.offsets.back()));
  merged.rows.reserve(merged.offsets.size() - 1);
  merged.texts.blob.reserve(text_bytes);
  Entries entries;
  for (const auto& list : kept) {
    for (const Candidate& candidate : list) {
      mapped(candidate, entries);
      for (const auto& [column, value] : entries) {
        merged.columns.push_back(column);
        merged.values.push_back(value);
      }
      merged.rows.push_back(starts[static_cast<size_t>(candidate.part - parts.data())] +
                            static_cast<int64_t>(candidate.row));
      if (candidate.has_text()) merged.texts.add(candidate.text());
    }
  }
  return merged;
}

}  // namespace tunesmith
