// Hash map from 64-bit keys to small values, for tables that are filled and cleared often.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tunesmith {

/// Open addressing with linear probing, load factor at most 1/2. O(1) `clear`: slots of an older epoch are
/// free. `Value` must be trivially copyable. References are valid until the next insertion.
template <class Value>
class FlatMap {
 public:
  explicit FlatMap(size_t slots = kFirstSlots) : slots_(slots) {}

  void clear() {
    size_ = 0;
    if (++epoch_ == 0) {  // after 2^32 clears the epoch wraps around, and old slots would look new
      for (Slot& slot : slots_) slot.epoch = 0;
      epoch_ = 1;
    }
  }
  size_t size() const { return size_; }
  /// Memory of a map that grew from empty to this size; see held_bytes.h.
  size_t bytes() const { return std::max(kFirstSlots, std::bit_ceil(2 * size_)) * sizeof(Slot); }

  const Value* find(uint64_t key) const {
    for (size_t at = home(key);; at = next(at)) {
      const Slot& slot = slots_[at];
      if (slot.epoch != epoch_) return nullptr;
      if (slot.key == key) return &slot.value;
    }
  }
  /// The value of a key, and whether `insert` added it.
  struct Inserted {
    Value& value;
    bool is_new;
  };
  Inserted insert(uint64_t key, Value value) {
    if (2 * (size_ + 1) > slots_.size()) grow();
    for (size_t at = home(key);; at = next(at)) {
      Slot& slot = slots_[at];
      if (slot.epoch != epoch_) {
        slot = {key, value, epoch_};
        ++size_;
        return {slot.value, true};
      }
      if (slot.key == key) return {slot.value, false};
    }
  }

 private:
  static constexpr size_t kFirstSlots = 64;

  struct Slot {
    uint64_t key = 0;
    Value value{};
    uint32_t epoch = 0;
  };

  size_t home(uint64_t key) const {
    key *= 0x9e3779b97f4a7c15ULL;
    return (key ^ key >> 32) & (slots_.size() - 1);
  }
  size_t next(size_t at) const { return (at + 1) & (slots_.size() - 1); }
  void grow() {
    std::vector<Slot> old(2 * slots_.size());
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.epoch != epoch_) continue;
      size_t at = home(slot.key);
      while (slots_[at].epoch == epoch_) at = next(at);
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;  // their number is a power of two
  uint32_t epoch_ = 1;
  size_t size_ = 0;
};

}  // namespace tunesmith
