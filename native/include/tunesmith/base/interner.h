// Interning: numbers distinct values from 0 in order of first occurrence.
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/base/held_bytes.h"

namespace tunesmith {

/// `T` needs `operator==`; the caller supplies the hash. O(1) per look-up, O(1) `clear` for trivial types.
template <class T>
class Interner {
 public:
  void clear() {
    values_.clear();
    numbers_.clear();
  }
  size_t size() const { return values_.size(); }
  size_t bytes() const { return held_bytes(values_) + numbers_.bytes(); }
  const T& operator[](uint32_t number) const { return values_[number]; }

  uint32_t number(const T& value, uint64_t hash) {
    // Hash collisions are resolved by moving on to the next key.
    for (;; ++hash) {
      const auto [number, is_new] = numbers_.insert(hash, static_cast<uint32_t>(values_.size()));
      if (is_new) values_.push_back(value);
      if (is_new || values_[number] == value) return number;
    }
  }

 private:
  std::vector<T> values_;
  FlatMap<uint32_t> numbers_;
};

}  // namespace tunesmith
