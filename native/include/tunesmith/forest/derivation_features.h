// The features of a derivation, summed over its edges.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// Sums feature rows. Reused from one derivation to the next, it costs O(features of the derivation), not
/// O(feature names).
class DerivationFeatures {
 public:
  /// Adds the features of all edges and of their rules.
  void add(const Forest& forest, std::span<const uint32_t> edges);

  /// Columns in the order of first occurrence, and their sums.
  std::span<const uint32_t> columns() const { return columns_; }
  double operator[](uint32_t column) const { return sums_[column]; }
  void clear();

 private:
  void add(std::span<const FeatureValue> row);

  std::vector<double> sums_;
  std::vector<uint8_t> met_;
  std::vector<uint32_t> columns_;
};

}  // namespace tunesmith::forest
