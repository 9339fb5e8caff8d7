// Values and their numbers: equal values have one number, counted from 0.
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/base/held_bytes.h"

namespace tunesmith {

/// `T` needs `operator==`; whoever asks gives the hash. To clear it costs nothing. O(1) a look-up.
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
    // Values of equal hash are told apart by a step to the next key.
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
