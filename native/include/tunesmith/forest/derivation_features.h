// The features of a derivation, summed over its edges.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// Sums rows of features; kept from one derivation to the next, it costs what a derivation has, not what
/// there are names.
class DerivationFeatures {
 public:
  /// The features of the derivation are those of its edges and of their rules.
  void add(const Forest& forest, std::span<const uint32_t> edges);

  /// Columns that were met, in the order in which they were, and their sums.
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
