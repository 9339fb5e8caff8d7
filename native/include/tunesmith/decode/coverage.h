// Coverage vectors: the source columns that a hypothesis has translated.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/base/held_bytes.h"
#include "tunesmith/base/range.h"

namespace tunesmith::decode {

/// A set of columns. All columns before `first_gap` are in it; bit i of `bits` is column first_gap + i, so
/// that the first bit is never set. Columns beyond the bits are not in the set.
struct Coverage {
  uint32_t first_gap = 0;
  uint32_t count = 0;  // columns in the set
  std::span<const uint64_t> bits;

  bool contains(uint32_t column) const {
    if (column < first_gap) return true;
    const uint32_t offset = column - first_gap;
    return offset / 64 < bits.size() && (bits[offset / 64] >> offset % 64 & 1) != 0;
  }
  /// Whether the set contains a column of the range.
  bool overlaps(Range range) const;
  /// Calls body(range) for each gap, from left to right; the last gap may extend to `columns`.
  template <class Body>
  void for_each_gap(uint32_t columns, Body body) const {
    uint32_t begin = first_gap;
    for (uint32_t column = first_gap; column < first_gap + 64 * bits.size() && column < columns; ++column) {
      if (!contains(column)) continue;
      if (begin < column) body(Range{begin, column});
      begin = column + 1;
    }
    if (begin < columns) body(Range{begin, columns});
  }
};

/// The distinct sets of one search, numbered; 0 is the empty set. Tables about sets are indexed by number.
/// Memory is a few words per set, independent of the input length: the bits span only from the first gap to
/// the last covered column.
class CoveragePool {
 public:
  CoveragePool() { clear(); }
  void clear();
  size_t size() const { return sets_.size(); }
  size_t bytes() const { return held_bytes(sets_) + held_bytes(bits_) + first_.bytes(); }
  Coverage operator[](uint32_t number) const {
    const Set& set = sets_[number];
    return {set.first_gap, set.count, {bits_.data() + set.begin, set.words}};
  }
  /// The number of the union of a set and a range, which must be disjoint. O(words of bits), usually one.
  uint32_t add(uint32_t number, Range range);

 private:
  struct Set {
    uint32_t first_gap, count;
    size_t begin;
    uint32_t words;
    uint32_t next;  // set with the same hash
  };
  uint32_t intern(uint32_t first_gap, uint32_t count);

  std::vector<Set> sets_;
  std::vector<uint64_t> bits_;
  std::vector<uint64_t> scratch_;
  FlatMap<uint32_t> first_;  // hash to the first set with this hash
};

}  // namespace tunesmith::decode
