// Features of a forest by the columns that they have in a pool's weights.
#pragma once

#include <cstdint>
#include <span>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// Rows of features with the columns of the weights: feature i of the forest is column `columns[i]`, which
/// the caller has checked to be one.
template <class Column>
Rows<FeatureValue> in_columns(Rows<FeatureValue> rows, std::span<const Column> columns) {
  for (FeatureValue& feature : rows.values) feature.column = static_cast<uint32_t>(columns[feature.column]);
  return rows;
}

}  // namespace tunesmith::forest
