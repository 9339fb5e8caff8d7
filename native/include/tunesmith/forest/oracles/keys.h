// Interned keys of the items of an oracle search.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/text.h"

namespace tunesmith::forest::oracles {

/// Numbers keys of one even width in order of first occurrence. As SequencePool, for tables that are filled
/// and cleared for each node: the hash is a sum of products, which do not wait for each other.
class OracleKeys {
 public:
  explicit OracleKeys(size_t width) : width_(width), factors_(width / 2) {
    for (size_t i = 0; i < factors_.size(); ++i) factors_[i] = mix(i + 1, width) | 1;
  }

  size_t width() const { return width_; }
  size_t size() const { return size_; }
  std::span<const int32_t> operator[](uint32_t number) const {
    return std::span<const int32_t>(values_).subspan(number * width_, width_);
  }

  /// The number of slots follows the last contents.
  void clear() {
    slots_.assign(std::bit_ceil(std::max<size_t>(16, 2 * size_)), Slot());
    values_.clear();
    size_ = 0;
  }

  /// The number of a key; a new one gets the next number.
  uint32_t intern(std::span<const int32_t> key) {
    if (4 * (size_t{size_} + 1) > 3 * slots_.size()) grow();
    const uint64_t hashed = hash(key.data());
    const size_t mask = slots_.size() - 1;
    const auto tag = static_cast<uint32_t>(hashed >> 32);
    size_t at = hashed & mask;
    for (; slots_[at].number != kFree; at = (at + 1) & mask)
      if (slots_[at].tag == tag && is_equal(slots_[at].number, key)) return slots_[at].number;
    slots_[at] = {size_, tag};
    values_.insert(values_.end(), key.begin(), key.end());
    return size_++;
  }

 private:
  static constexpr uint32_t kFree = UINT32_MAX;
  struct Slot {
    uint32_t number = kFree;
    uint32_t tag = 0;
  };

  uint64_t hash(const int32_t* key) const {
    uint64_t sum = 0;
    for (size_t i = 0; i < factors_.size(); ++i) {
      uint64_t pair;
      std::memcpy(&pair, key + 2 * i, sizeof pair);
      sum += pair * factors_[i];
    }
    return mix(sum, width_);
  }
  bool is_equal(uint32_t number, std::span<const int32_t> key) const {
    return std::memcmp(&values_[number * width_], key.data(), key.size_bytes()) == 0;
  }
  void grow() {
    if (size_ >= kFree / 2) throw InputError("a node has too many partial oracles; give the search a beam");
    slots_.assign(std::max<size_t>(16, 2 * slots_.size()), Slot());
    const size_t mask = slots_.size() - 1;
    for (uint32_t number = 0; number < size_; ++number) {
      const uint64_t hashed = hash(&values_[number * width_]);
      size_t at = hashed & mask;
      while (slots_[at].number != kFree) at = (at + 1) & mask;
      slots_[at] = {number, static_cast<uint32_t>(hashed >> 32)};
    }
  }

  size_t width_;
  std::vector<uint64_t> factors_;
  std::vector<int32_t> values_;
  std::vector<Slot> slots_;  // open addressing; size a power of two, load factor at most 3/4
  uint32_t size_ = 0;
};

}  // namespace tunesmith::forest::oracles
