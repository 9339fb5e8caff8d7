// Hash table of rule counts by key; sums are exact and do not depend on the order of addition.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/scratch.h"

namespace tunesmith::extract::rules {

/// Weights are fixed-point numbers in units of 2^-36, so that sums are exact in any order. A weight of 1/n
/// has a relative error below n * 2^-37; sums up to 2^27 fit.
inline constexpr uint64_t kUnitWeight = uint64_t{1} << 36;

inline uint64_t weight_of(int64_t siblings) {
  const auto n = static_cast<uint64_t>(siblings);
  return (kUnitWeight + n / 2) / n;
}
inline double weight_value(uint64_t weight) {
  return static_cast<double>(weight) / static_cast<double>(kUnitWeight);
}

struct Tally {
  uint64_t weight = 0;
  uint64_t occurrences = 0;
};

class TallyTable {
 public:
  void add(std::string_view key, const Tally& tally);
  size_t size() const { return entries_.size(); }
  std::string_view key(size_t i) const { return {keys_.data() + entries_[i].begin, entries_[i].length}; }
  Tally tally(size_t i) const { return {entries_[i].weight, entries_[i].occurrences}; }
  /// Memory use in bytes.
  size_t bytes() const;
  void clear();

  /// Appends all entries to a file; `load` adds saved entries to the table.
  void save(Scratch& scratch) const;
  void load(std::string_view saved);

 private:
  struct Entry {
    uint64_t begin;
    uint64_t weight;
    uint32_t length;
    uint32_t hash;
    uint64_t occurrences;
  };
  void grow();

  std::vector<char> keys_;
  std::vector<Entry> entries_;
  std::vector<uint32_t> slots_;  // entry + 1, or 0 if free; a power of two, at most half full
};

}  // namespace tunesmith::extract::rules
