// The weights of sparse features at scale: by key, changed in place. Learners write them, decoders read them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "tunesmith/base/name_table.h"
#include "tunesmith/weights/feature_name.h"
#include "tunesmith/weights/name_collisions.h"

namespace tunesmith::weights {

/// What a learner keeps per feature. A weight file has all of it, so that learning resumes to the bit.
struct WeightRecord {
  double weight = 0;
  double rate = 1;   // a start value and accumulated squares of updates: adaptive steps divide by its root
  double drift = 0;  // sum over steps t of t * change_t: the average over T steps is weight - drift / T
  int64_t last = 0;  // step of the last change, for penalties that are applied lazily
};

/// Hash table from keys to records, in order of insertion. O(1) per look-up and change; some 100 bytes per
/// feature with a name of 30 bytes. A decoder's look-up touches one cache line: slots hold the weight, too.
/// Readers may share it between threads as long as nobody writes.
class WeightStore {
 public:
  static constexpr uint32_t kNone = UINT32_MAX;

  WeightStore();

  size_t size() const { return keys_.size(); }
  /// Increases with every change of a weight: what was computed under an earlier version is outdated.
  uint64_t version() const { return version_; }

  /// The weight of a feature, 0 if there is none.
  float weight_of(uint64_t key) const {
    for (size_t at = home(key);; at = next(at)) {
      const Slot& slot = slots_[at];
      if (slot.key == key) return slot.weight;
      if (slot.key == 0) return 0;
    }
  }
  float operator[](std::string_view name) const { return weight_of(key_of(name)); }
  /// Brings the slot of a key into the cache: a look-up soon after it does not wait for memory.
  void prefetch(uint64_t key) const { __builtin_prefetch(&slots_[home(key)]); }

  /// The number of a feature; kNone if there is none.
  uint32_t find(uint64_t key) const;
  /// The number of a feature, which is added if it is new. The first name of a key is kept; a different one
  /// that meets it shares its record, and is reported by `collisions`.
  uint32_t insert(const FeatureName& name);
  uint32_t insert(std::string_view name) { return insert(FeatureName{{&name, 1}, key_of(name)}); }

  uint64_t key(uint32_t number) const { return keys_[number]; }
  /// Valid until the next insertion.
  std::string_view name(uint32_t number) const { return names_[number]; }
  const WeightRecord& record(uint32_t number) const { return records_[number]; }
  double weight(uint32_t number) const { return records_[number].weight; }
  double drift(uint32_t number) const { return records_[number].drift; }
  /// The weight must be finite.
  void set_weight(uint32_t number, double weight);
  /// The rate of features that are inserted from now on; 1 in a new store, and not part of a file.
  void set_first_rate(double rate) { first_rate_ = rate; }
  /// Replaces all but the weight.
  void set_memory(uint32_t number, double rate, double drift, int64_t last);
  void set(std::string_view name, double weight) { set_weight(insert(name), weight); }
  /// Makes room, so that insertions up to this number of features and bytes of names move nothing.
  void reserve(size_t features, size_t name_bytes);

  /// Numbers of the features with the largest absolute weights, at most `count`, descending; equal ones in
  /// order of insertion. O(size + count log count).
  std::vector<uint32_t> top(size_t count) const;

  const NameCollisions& collisions() const { return collisions_; }
  /// Adds collisions that were met before their names came here.
  void note(const NameCollisions& others) { collisions_.add(others); }
  const TextColumn& names() const { return names_; }
  const std::vector<uint64_t>& keys() const { return keys_; }
  size_t bytes() const;

 private:
  struct Slot {
    uint64_t key = 0;  // 0: free
    uint32_t number = 0;
    float weight = 0;
  };

  size_t home(uint64_t key) const { return key & (slots_.size() - 1); }
  size_t next(size_t at) const { return (at + 1) & (slots_.size() - 1); }
  size_t slot_of(uint64_t key) const;
  void grow();

  std::vector<Slot> slots_;  // open addressing; their number is a power of two, at most 3/4 of them are used
  std::vector<uint64_t> keys_;
  std::vector<WeightRecord> records_;
  TextColumn names_;
  NameCollisions collisions_;
  uint64_t version_ = 0;
  double first_rate_ = 1;
};

}  // namespace tunesmith::weights
