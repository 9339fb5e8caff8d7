// The forest of a chart search: every hypothesis that is part of a translation, with all its in-edges.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tunesmith/decode/arc_features.h"
#include "tunesmith/decode/chart/search.h"
#include "tunesmith/decode/chart/sentence_chart.h"
#include "tunesmith/decode/column_sink.h"

namespace tunesmith::decode::chart {

/// The values of a rule in its place that are not its own: the features of arcs, placed and stateful ones.
/// `state(gap, feature)` is the state of a feature in the sub-derivation of a gap.
template <class State>
void chart_values(const WeightedModel& model, const RuleChart& chart, const PlacedFeatures& placed,
                  std::span<const std::unique_ptr<FeatureSession>> sessions, const corpus::WordLattice& input,
                  const RuleUse& use, const Option& option, Range range, State state, ModelSink& sink) {
  sink.begin(0);
  for (uint32_t at = use.last_symbol; at != kNoNumber; at = chart.symbols[at].before) {
    const PlacedSymbol& symbol = chart.symbols[at];
    if (symbol.cell == kNoNumber) arc_values(model.model(), input.arcs(symbol.column)[symbol.arc], sink);
  }
  if (option.border == grammar::Border::kBegin) return;
  if (!placed.empty()) {
    std::vector<Range> gaps;
    chart.gap_ranges(use, gaps);
    placed.values(option, {range, gaps}, sink);
  }
  std::vector<uint32_t> states(use.arity);
  for (size_t feature = 0; feature < sessions.size(); ++feature) {
    sink.begin(model.model().features()[feature].first);
    for (uint32_t gap = 0; gap < use.arity; ++gap) states[gap] = state(gap, feature);
    if (option.border == grammar::Border::kEnd)
      sessions[feature]->final_values(states[0], sink);
    else
      sessions[feature]->values(states, {option, range, {}}, sink);
  }
}

/// The values of an edge that are not its rule's own.
void chart_edge_values(const WeightedModel& model, const ChartSearch& search,
                       const corpus::WordLattice& input, const ChartEdge& edge, Range range, ModelSink& sink);

/// Whether a node below the goal is part of a derivation, by node of the search.
std::vector<char> reached_nodes(const ChartSearch& search);

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
