// Interned sequences: each distinct target phrase, alignment pattern or reordering row is stored once.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/held_bytes.h"
#include "tunesmith/base/text.h"

namespace tunesmith {

/// Numbers sequences of T in order of first occurrence; equality is bytewise. O(length) per look-up: slots
/// hold part of the hash, so that few other sequences are read.
template <class T>
class SequencePool {
 public:
  static_assert(std::has_unique_object_representations_v<T> || std::is_floating_point_v<T>);
  static constexpr uint32_t kUnknown = std::numeric_limits<uint32_t>::max();

  size_t size() const { return offsets_.size() - 1; }
  std::span<const T> operator[](uint32_t number) const {
    return std::span<const T>(values_).subspan(offsets_[number], offsets_[number + 1] - offsets_[number]);
  }
  std::span<const T> values() const { return values_; }
  std::span<const uint32_t> offsets() const { return offsets_; }
  /// Memory of a pool that grew from empty to this size.
  size_t bytes() const {
    return held_bytes(values_) + held_bytes(offsets_) + std::bit_ceil(4 * size() / 3 + 1) * sizeof(Slot);
  }

  /// Removes all sequences but keeps their memory, for tables that are refilled often. The number of slots
  /// follows the last contents, so that one large table does not slow down all later ones.
  void clear() {
    slots_.assign(std::bit_ceil(std::max<size_t>(16, 2 * size())), Slot());
    values_.clear();
    offsets_.resize(1);
  }

  uint32_t find(std::span<const T> sequence) const {
    return slots_.empty() ? kUnknown : slots_[slot(sequence, hash(sequence))].number;
  }

  /// The number of a sequence; a new sequence gets the next number.
  uint32_t intern(std::span<const T> sequence) {
    if (4 * (size() + 1) > 3 * slots_.size()) grow();
    const uint64_t key = hash(sequence);
    Slot& found = slots_[slot(sequence, key)];
    if (found.number == kUnknown) {
      if (values_.size() + sequence.size() >= kUnknown || size() + 1 >= kUnknown)
        throw InputError("too many distinct phrases or other sequences: a table holds fewer than 2^32 words");
      found = {static_cast<uint32_t>(size()), tag(key)};
      values_.insert(values_.end(), sequence.begin(), sequence.end());
      offsets_.push_back(static_cast<uint32_t>(values_.size()));
    }
    return found.number;
  }

 private:
  struct Slot {
    uint32_t number = kUnknown;
    uint32_t tag = 0;
  };

  static uint64_t hash(std::span<const T> sequence) {
    return hash_bytes({reinterpret_cast<const char*>(sequence.data()), sequence.size_bytes()});
  }
  static uint32_t tag(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }

  /// The slot of the sequence, or the free slot where it belongs.
  size_t slot(std::span<const T> sequence, uint64_t key) const {
    const size_t mask = slots_.size() - 1;
    size_t at = key & mask;
    for (; slots_[at].number != kUnknown; at = (at + 1) & mask) {
      if (slots_[at].tag != tag(key)) continue;
      const auto known = (*this)[slots_[at].number];
      if (known.size() == sequence.size() &&
          (known.empty() || std::memcmp(known.data(), sequence.data(), known.size_bytes()) == 0))
        break;
    }
    return at;
  }

  void grow() {
    slots_.assign(std::max<size_t>(16, 2 * slots_.size()), Slot());
    const size_t mask = slots_.size() - 1;
    for (uint32_t number = 0; number < size(); ++number) {
      const uint64_t key = hash((*this)[number]);
      size_t at = key & mask;
      while (slots_[at].number != kUnknown) at = (at + 1) & mask;
      slots_[at] = {number, tag(key)};
    }
  }

  std::vector<T> values_;
  std::vector<uint32_t> offsets_{0};
  std::vector<Slot> slots_;  // open addressing; size a power of two, load factor at most 3/4
};

}  // namespace tunesmith
