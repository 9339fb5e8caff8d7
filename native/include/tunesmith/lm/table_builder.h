// Builder of the hash tables that NgramTable probes.
#pragma once

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/huge_array.h"
#include "tunesmith/lm/table.h"

namespace tunesmith::lm {

/// Sized for an expected number of n-grams; grows by rehashing if there are more.
template <class Line>
class NgramTableBuilder {
 public:
  using Value = typename Line::Value;

  NgramTableBuilder() = default;
  explicit NgramTableBuilder(uint64_t ngrams) : lines_(lines_for(ngrams)) {}

  void prefetch(uint64_t hash) const { __builtin_prefetch(&lines_[home_line(hash, lines_.size())], 1); }

  /// Valid until the next insertion; null if the n-gram is absent.
  Value* find(uint64_t hash) {
    const Place place = locate(table_key(hash), home_line(hash, lines_.size()));
    return place.found ? &lines_[place.line].values[place.slot] : nullptr;
  }

  /// Returns false, and changes nothing, if the n-gram is present.
  bool insert(uint64_t hash, Value value) {
    if (size_ + 1 > most()) grow();
    return put(hash, value);
  }

  uint64_t size() const { return size_; }
  uint64_t reach() const { return reach_; }
  std::span<const Line> lines() const { return lines_.view(); }

 private:
  struct Place {
    bool found;
    size_t line, slot, distance;
  };

  /// Load factor 3/4, at which lines of four or five slots rarely overflow.
  static size_t lines_for(uint64_t ngrams) {
    const uint64_t lines = ngrams * 4 / (3 * Line::kSlots) + 2;
    if (lines >> 32 != 0) throw InputError("too many n-grams of one order for this format; prune the model");
    return lines;
  }
  uint64_t most() const { return lines_.size() * Line::kSlots * 9 / 10; }

  Place locate(uint64_t key, size_t home) const {
    for (size_t distance = 0, at = home;; ++distance, at = at + 1 == lines_.size() ? 0 : at + 1)
      for (size_t slot = 0; slot < Line::kSlots; ++slot) {
        if (lines_[at].keys[slot] == key) return {true, at, slot, distance};
        if (lines_[at].keys[slot] == 0) return {false, at, slot, distance};
      }
  }

  bool put(uint64_t hash, Value value) {
    const uint64_t key = table_key(hash);
    const Place place = locate(key, home_line(hash, lines_.size()));
    if (place.found) return false;
    lines_[place.line].keys[place.slot] = key;
    lines_[place.line].values[place.slot] = value;
    reach_ = std::max<uint64_t>(reach_, place.distance);
    ++size_;
    return true;
  }

  void grow() {
    NgramTableBuilder larger(size_ + size_ / 2 + 16);
    for (const Line& line : lines())
      for (size_t slot = 0; slot < Line::kSlots && line.keys[slot] != 0; ++slot)
        larger.put(line.keys[slot], line.values[slot]);
    *this = std::move(larger);
  }

  HugeArray<Line> lines_;
  uint64_t size_ = 0;
  uint64_t reach_ = 0;
};

}  // namespace tunesmith::lm
