// Weights by name, for forests with different columns.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "tunesmith/base/name_table.h"
#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// Weights by name.
struct NamedWeights {
  Texts names;
  std::span<const double> values;
  std::optional<double> missing =
      {};  // weight of features without a name here; if none, they are an InputError
};

/// Weights by column of a forest, cached by names, which forests may share; references to them stay valid.
class ColumnWeights {
 public:
  /// Throws InputError if a name has two weights, or the numbers of names and weights differ.
  explicit ColumnWeights(const NamedWeights& weights);

  /// O(columns) for names that are new. Not for several threads at once.
  const std::vector<double>& of(const Forest& forest);

 private:
  NameTable table_;
  std::span<const double> weights_;
  std::optional<double> missing_;
  std::map<const ForestNames*, std::vector<double>> by_names_;
};

}  // namespace tunesmith::forest
