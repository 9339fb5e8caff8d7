// A sparse vector of named features: the features of a derivation, or the difference of two.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/base/name_table.h"
#include "tunesmith/weights/feature_name.h"
#include "tunesmith/weights/store.h"

namespace tunesmith::weights {

/// Entries (key, value, name) in order of first appearance, one per key: the same additions in the same order
/// make the same vector, bit for bit. O(length of the name) per addition. Owns its names.
class FeatureVector {
 public:
  size_t size() const { return keys_.size(); }
  bool empty() const { return keys_.empty(); }

  /// Adds to the value of a feature, which begins as 0. The first name of a key is kept; a different one with
  /// the same key shares its entry, and is reported by `collisions`.
  void add(const FeatureName& name, double value);
  void add(std::string_view name, double value) { add(FeatureName{{&name, 1}, key_of(name)}, value); }
  /// Adds `scale` times another vector, entry by entry.
  void add(const FeatureVector& other, double scale = 1);

  /// The value of a feature, 0 if it has no entry.
  double value_of(uint64_t key) const;
  /// Sum of value * weight over the entries in their order, in double precision; features that the store does
  /// not have weigh 0.
  double dot(const WeightStore& store) const;
  /// Sum of squared values.
  double norm2() const;
  /// Removes entries whose value is exactly 0, as those in which two derivations agree.
  void drop_zeros();

  std::span<const uint64_t> keys() const { return keys_; }
  std::span<const double> values() const { return values_; }
  const TextColumn& names() const { return names_; }
  /// Entry i as a store takes it: calls `use(FeatureName)`.
  template <class Use>
  auto with_name(size_t i, Use use) const {
    const std::string_view name = names_[i];
    return use(FeatureName{{&name, 1}, keys_[i]});
  }
  const NameCollisions& collisions() const { return collisions_; }

 private:
  uint32_t entry(const FeatureName& name);

  std::vector<uint64_t> keys_;
  std::vector<double> values_;
  TextColumn names_;
  FlatMap<uint32_t> entries_;  // of keys
  NameCollisions collisions_;
};

/// Adds `scale` times a vector to the weights of a store; features that it does not have are inserted.
void add_to_weights(WeightStore& store, const FeatureVector& vector, double scale = 1);

}  // namespace tunesmith::weights
