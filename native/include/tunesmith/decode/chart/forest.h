// The forest of a chart search: every hypothesis that is part of a translation, with all its in-edges.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tunesmith/decode/chart/search.h"
#include "tunesmith/decode/chart/sentence_chart.h"
#include "tunesmith/decode/column_sink.h"

namespace tunesmith::decode::chart {

/// The values of an edge that are not its rule's own: the features of arcs, and all stateful features.
void chart_edge_values(const WeightedModel& model, const ChartSearch& search,
                       const corpus::WordLattice& input, const ChartEdge& edge, Range range,
                       ColumnSink& sink);

/// A forest, and the category of each of its nodes.
struct ChartForest {
  std::shared_ptr<const forest::Forest> forest;
  std::vector<std::string> categories;
};

/// Edges have one tail per gap of their rule. The context-free values of a rule are features of the forest's
/// rule, all others of the edge. Rule ids are those of options. The root is the goal, joined over all feature
/// states of its hypotheses.
ChartForest chart_forest(const WeightedModel& model, const ChartSearch& search, const SentenceChart& chart);

}  // namespace tunesmith::decode::chart
