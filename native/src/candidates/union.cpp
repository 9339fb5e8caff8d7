#include "tunesmith/candidates/union.h"

#include <algorithm>
#include <bit>
#include <limits>
#include <string>
#include <utility>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"
#include "tunesmith/base/text.h"

namespace tunesmith::candidates {

namespace {

constexpr size_t kListsPerChunk = 16;

/// Iterates over the nonzero entries of a row: equal vectors give equal sequences.
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

bool same(const PoolPart& one, int64_t row, const PoolPart& other, int64_t other_row) {
  if (one.texts.size() > 0) {
    if (one.texts[row] != other.texts[other_row]) return false;
  } else if (!std::equal(one.scores.row(row), one.scores.row(row) + one.scores.width,
                         other.scores.row(other_row), other.scores.row(other_row) + other.scores.width)) {
    return false;
  }
  Entries a(one.lists.features, row), b(other.lists.features, other_row);
  for (; !a.done() && !b.done(); a.next(), b.next())
    if (a.column() != b.column() || a.value() != b.value()) return false;
  return a.done() && b.done();
}

void check(const PoolPart& part) {
  const size_t rows = part.lists.features.rows();
  check_offsets(part.lists.offsets, rows, "candidate lists");
  if (part.targets.size() != part.lists.size() || (part.texts.size() != 0 && part.texts.size() != rows) ||
      (part.scores.width != 0 && part.scores.rows() != rows))
    throw InputError("the arrays of a pool to merge do not fit together");
  if (rows > static_cast<size_t>(std::numeric_limits<int32_t>::max()))
    throw InputError("a pool to merge has more than 2^31 candidates; merge smaller pools");
  std::vector<int64_t> targets(part.targets.begin(), part.targets.end());
  std::sort(targets.begin(), targets.end());
  if (!targets.empty() && (targets.front() < 0 || std::ranges::adjacent_find(targets) != targets.end()))
    throw InputError("the lists of a pool to merge need distinct targets, at least 0, in the union");
}

/// Calls a function that chooses rows of a list, for many lists in parallel; returns all rows, rising.
template <class Choose>
std::vector<int64_t> chosen_rows(const PoolPart& part, int threads, Choose choose) {
  std::vector<char> is_chosen(part.lists.features.rows());
  parallel_chunks(part.lists.size(), kListsPerChunk, threads, [&](size_t, size_t begin, size_t end) {
    for (size_t list = begin; list < end; ++list)
      choose(static_cast<size_t>(part.targets[list]), part.lists.offsets[list], part.lists.offsets[list + 1],
             is_chosen.data());
  });
  std::vector<int64_t> rows;
  for (size_t row = 0; row < is_chosen.size(); ++row)
    if (is_chosen[row]) rows.push_back(static_cast<int64_t>(row));
  return rows;
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

std::vector<int64_t> PoolUnion::find_new(const PoolPart& part, int threads) const {
  check(part);
  return chosen_rows(part, threads, [&](size_t list, int64_t begin, int64_t end, char* is_new) {
    const bool is_known = list < tables_.size() && tables_[list].size > 0;
    for (int64_t row = begin; row < end; ++row) {
      if (!is_known) {
        is_new[row] = 1;
        continue;
      }
      const Table& table = tables_[list];
      is_new[row] = table.slots[find(table, hash_of(part, row), part, row)].part < 0;
    }
  });
}

std::vector<int64_t> PoolUnion::add(const PoolPart& part, int threads) {
  check(part);
  parts_.push_back(part);
  for (const int64_t target : part.targets)
    tables_.resize(std::max(tables_.size(), static_cast<size_t>(target) + 1));
  return chosen_rows(part, threads, [&](size_t list, int64_t begin, int64_t end, char* is_new) {
    Table& table = tables_[list];
    table.reserve(static_cast<size_t>(end - begin));
    for (int64_t row = begin; row < end; ++row) {
      const uint64_t hash = hash_of(part, row);
      Known& slot = table.slots[find(table, hash, part, row)];
      if (slot.part >= 0) continue;
      slot = {hash, static_cast<int32_t>(parts_.size() - 1), static_cast<int32_t>(row)};
      ++table.size;
      is_new[row] = 1;
    }
  });
}

size_t PoolUnion::find(const Table& table, uint64_t hash, const PoolPart& part, int64_t row) const {
  const size_t mask = table.slots.size() - 1;
  size_t at = hash & mask;
  for (; table.slots[at].part >= 0; at = (at + 1) & mask) {
    const Known& known = table.slots[at];
    if (known.hash == hash && same(part, row, parts_[static_cast<size_t>(known.part)], known.row)) break;
  }
  return at;
}

}  // namespace tunesmith::candidates
