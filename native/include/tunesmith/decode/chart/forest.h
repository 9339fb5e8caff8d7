// The forest of a chart search: every hypothesis that is part of a translation, with all ways to make it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tunesmith/decode/chart/search.h"
#include "tunesmith/decode/chart/sentence_chart.h"
#include "tunesmith/decode/column_sink.h"

namespace tunesmith::decode::chart {

/// What an edge adds beside what its rule says of itself: the values of arcs, and all features with states.
void chart_edge_values(const WeightedModel& model, const ChartSearch& search,
                       const corpus::WordLattice& input, const ChartEdge& edge, Range range,
                       ColumnSink& sink);

/// A forest, and the category that the rules of each of its nodes make.
struct ChartForest {
  std::shared_ptr<const forest::Forest> forest;
  std::vector<std::string> categories;
};

/// Edges have a tail for each gap of their rule. An edge's rule has what the rule says of itself, the edge
/// has what depends on its place. Ids of rules are those of options. The root is the goal, however many
/// states its hypotheses have.
ChartForest chart_forest(const WeightedModel& model, const ChartSearch& search, const SentenceChart& chart);

}  // namespace tunesmith::decode::chart
