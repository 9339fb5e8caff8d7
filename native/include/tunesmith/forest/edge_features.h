// Features of edges by column of a weight vector, and the scores that weights give them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// Features of the edges of a forest, stored elsewhere: those of an edge's rule, and its own.
struct EdgeFeatures {
  std::span<const uint32_t> rules;  // of each edge
  RowsView<FeatureValue> of_rules, of_edges;

  /// scores[e] = scale * weights . (features of e's rule + its own). O(feature values). The scores of rules
  /// are left in `rule_scores`; both vectors are resized.
  void score(std::span<const double> weights, double scale, std::vector<double>& rule_scores,
             std::vector<double>& scores) const;

  /// Calls visit(feature) for each feature of an edge; columns may repeat.
  template <class Visit>
  void visit(uint32_t edge, Visit visit) const {
    for (const FeatureValue& feature : of_rules[rules[edge]]) visit(feature);
    for (const FeatureValue& feature : of_edges[edge]) visit(feature);
  }
};

/// Throws InputError unless there is one column per feature of the forest, each below `width`.
void check_columns(const Forest& forest, std::span<const int64_t> columns, size_t width);

/// Feature rows renumbered by column: feature i of the forest becomes columns[i], which must be in range.
template <class Column>
Rows<FeatureValue> in_columns(Rows<FeatureValue> rows, std::span<const Column> columns) {
  for (FeatureValue& feature : rows.values) feature.column = static_cast<uint32_t>(columns[feature.column]);
  return rows;
}

}  // namespace tunesmith::forest
