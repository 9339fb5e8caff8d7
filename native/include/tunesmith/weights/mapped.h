// Fixed weights in a mapped hash table: opening costs nothing, whatever their number.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tunesmith/base/container.h"
#include "tunesmith/weights/store.h"

namespace tunesmith::weights {

/// The weights of a store by key, as floats, without names. O(1) per look-up, which touches one cache line;
/// 21 to 43 bytes per feature. Shared by threads.
class MappedWeights {
 public:
  static constexpr std::string_view kKind = "keyed";
  static constexpr uint32_t kVersion = 1;

  /// Not more than the header is read, so a damaged file may give wrong weights, but never a crash.
  explicit MappedWeights(const std::string& path);

  const std::string& path() const { return container_.path(); }
  /// Number of features.
  size_t size() const { return size_; }
  /// The weight of a feature, 0 if there is none.
  float weight_of(uint64_t key) const {
    size_t at = key & (slots_.size() - 1);
    for (size_t tries = 0; tries < slots_.size(); ++tries, at = (at + 1) & (slots_.size() - 1)) {
      if (slots_[at].key == key) return slots_[at].weight;
      if (slots_[at].key == 0) return 0;
    }
    return 0;  // only a damaged table is full
  }

 private:
  friend void write_mapped_weights(const WeightStore& store, const std::string& path);

  struct Slot {
    uint64_t key = 0;  // 0: free
    float weight = 0;
    uint32_t unused = 0;
  };

  Container container_;
  std::span<const Slot> slots_;  // open addressing; their number is a power of two
  size_t size_ = 0;
};

/// Writes the weights of a store that are not 0, atomically. The bytes depend only on the order of insertion.
void write_mapped_weights(const WeightStore& store, const std::string& path);

}  // namespace tunesmith::weights
