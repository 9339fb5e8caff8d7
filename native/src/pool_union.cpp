#include "tunesmith/pool_union.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>

#include "tunesmith/errors.h"
#include "tunesmith/parallel.h"
#include "tunesmith/text.h"

namespace tunesmith {

namespace {

constexpr size_t kListsAChunk = 16;

/// Walks the entries of a row that are not zero: equal vectors have equal walks.
class Entries {
 public:
  Entries(const Csr& matrix, int64_t row)
      : matrix_(matrix), at_(matrix.offsets[row]), end_(matrix.offsets[row + 1]) {
    skip();
  }
  bool done() const { return at_ == end_; }
  int32_t column() const { return matrix_.columns[at_]; }
  double value() const { return matrix_.values[at_]; }
  void next() {
    ++at_;
    skip();
  }

 private:
  void skip() {
    while (at_ < end_ && matrix_.values[at_] == 0) ++at_;
  }
  const Csr& matrix_;
  int64_t at_, end_;
};

uint64_t hash_of(const PoolPart& part, int64_t row) {
  uint64_t value = part.texts.size() > 0 ? hash_bytes(part.texts[row]) : 0;
  if (part.texts.size() == 0)
    for (size_t s = 0; s < part.scores.width; ++s)
      value = mix(value, std::bit_cast<uint64_t>(part.scores.row(row)[s] + 0.0));
  for (Entries entry(part.lists.features, row); !entry.done(); entry.next()) {
    value = mix(value, static_cast<uint64_t>(entry.column()));
    value = mix(value, std::bit_cast<uint64_t>(entry.value()));
  }
  return value;
}

void check(const PoolPart& part) {
  const size_t rows = part.lists.features.rows();
  check_offsets(part.lists.offsets, rows, "candidate lists");
  if (part.targets.size() != part.lists.size() || (part.texts.size() != 0 && part.texts.size() != rows) ||
      (part.scores.width != 0 && part.scores.rows() != rows))
    throw InputError("the arrays of a pool to merge do not fit together");
  if (rows > static_cast<size_t>(std::numeric_limits<int32_t>::max()))
    throw InputError("more than 2^31 candidates in one pool");
  std::vector<int64_t> targets(part.targets.begin(), part.targets.end());
  std::sort(targets.begin(), targets.end());
  if (!targets.empty() && (targets.front() < 0 || std::ranges::adjacent_find(targets) != targets.end()))
    throw InputError("the lists of a pool to merge must go to different lists of the union");
}

}  // namespace

void PoolUnion::Table::reserve(size_t more) {
  const size_t needed = std::bit_ceil(2 * (size + more) + 1);
  if (needed <= slots.size()) return;
  std::vector<Known> old = std::exchange(slots, std::vector<Known>(needed));
  for (const Known& known : old) {
    if (known.part < 0) continue;
    size_t at = known.hash & (needed - 1);
    while (slots[at].part >= 0) at = (at + 1) & (needed - 1);
    slots[at] = known;
  }
}

std::vector<int64_t> PoolUnion::add(const PoolPart& part, int threads) {
  check(part);
  parts_.push_back(part);
  for (const int64_t target : part.targets)
    tables_.resize(std::max(tables_.size(), static_cast<size_t>(target) + 1));
  std::vector<char> is_new(part.lists.features.rows());
  parallel_chunks(part.lists.size(), kListsAChunk, threads, [&](size_t, size_t begin, size_t end) {
    for (size_t list = begin; list < end; ++list) {
      Table& table = tables_[static_cast<size_t>(part.targets[list])];
      const int64_t first = part.lists.offsets[list], stop = part.lists.offsets[list + 1];
      table.reserve(static_cast<size_t>(stop - first));
      for (int64_t row = first; row < stop; ++row)
        is_new[row] = insert(table, hash_of(part, row), static_cast<int32_t>(row));
    }
  });
  std::vector<int64_t> rows;
  for (size_t row = 0; row < is_new.size(); ++row)
    if (is_new[row]) rows.push_back(static_cast<int64_t>(row));
  return rows;
}

/// Enters a row of the newest part; false if an equal candidate is there.
bool PoolUnion::insert(Table& table, uint64_t hash, int32_t row) {
  const size_t mask = table.slots.size() - 1;
  size_t at = hash & mask;
  for (; table.slots[at].part >= 0; at = (at + 1) & mask)
    if (table.slots[at].hash == hash && same(row, table.slots[at])) return false;
  table.slots[at] = {hash, static_cast<int32_t>(parts_.size() - 1), row};
  ++table.size;
  return true;
}

bool PoolUnion::same(int32_t row, const Known& other) const {
  const PoolPart &newest = parts_.back(), &known = parts_[static_cast<size_t>(other.part)];
  if (newest.texts.size() > 0) {
    if (newest.texts[row] != known.texts[other.row]) return false;
  } else if (!std::equal(newest.scores.row(row), newest.scores.row(row) + newest.scores.width,
                         known.scores.row(other.row), known.scores.row(other.row) + known.scores.width)) {
    return false;
  }
  Entries a(newest.lists.features, row), b(known.lists.features, other.row);
  for (; !a.done() && !b.done(); a.next(), b.next())
    if (a.column() != b.column() || a.value() != b.value()) return false;
  return a.done() && b.done();
}

}  // namespace tunesmith
