// Distinct rows of one width, in memory that is used again and again.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tunesmith/text.h"

namespace tunesmith {

/// Numbers rows of integers in the order in which they first come. O(width) a row. Unlike SequencePool it
/// can be emptied without giving its memory back, which counts where there are many small tables.
class RowTable {
 public:
  void clear(size_t width) {
    width_ = width;
    // As many slots as the last rows needed: a large table must not make all later ones slow.
    slots_.assign(std::bit_ceil(std::max<size_t>(16, 2 * size())), kFree);
    values_.clear();
    hashes_.clear();
  }

  size_t size() const { return hashes_.size(); }
  std::span<const int32_t> operator[](uint32_t row) const { return {values_.data() + row * width_, width_}; }

  /// The number of a row, a new one if it has none yet.
  uint32_t intern(std::span<const int32_t> row) {
    if (2 * (size() + 1) > slots_.size()) grow();
    const uint64_t key = hash(row);
    const size_t mask = slots_.size() - 1;
    size_t at = key & mask;
    for (; slots_[at] != kFree; at = (at + 1) & mask)
      if (hashes_[slots_[at]] == key && std::ranges::equal((*this)[slots_[at]], row)) return slots_[at];
    slots_[at] = static_cast<uint32_t>(size());
    values_.insert(values_.end(), row.begin(), row.end());
    hashes_.push_back(key);
    return slots_[at];
  }

 private:
  static constexpr uint32_t kFree = std::numeric_limits<uint32_t>::max();

  static uint64_t hash(std::span<const int32_t> row) {
    uint64_t even = 0, odd = 0;  // two chains of multiplications run side by side
    size_t i = 0;
    for (; i + 1 < row.size(); i += 2) {
      even = (even ^ static_cast<uint32_t>(row[i])) * 0x9e3779b97f4a7c15ULL;
      odd = (odd ^ static_cast<uint32_t>(row[i + 1])) * 0xff51afd7ed558ccdULL;
      even ^= even >> 29;
      odd ^= odd >> 31;
    }
    if (i < row.size()) even ^= static_cast<uint32_t>(row[i]);
    return mix(even, odd);
  }

  void grow() {
    slots_.assign(std::bit_ceil(std::max<size_t>(16, 2 * slots_.size())), kFree);
    const size_t mask = slots_.size() - 1;
    for (uint32_t row = 0; row < size(); ++row) {
      size_t at = hashes_[row] & mask;
      while (slots_[at] != kFree) at = (at + 1) & mask;
      slots_[at] = row;
    }
  }

  size_t width_ = 0;
  std::vector<int32_t> values_;
  std::vector<uint64_t> hashes_;
  std::vector<uint32_t> slots_;  // open addressing; a power of two, at most half full
};

}  // namespace tunesmith
