#include "tunesmith/decode/chart/scored_forest.h"

#include "tunesmith/decode/chart/forest.h"
#include "tunesmith/decode/edge_lists.h"

namespace tunesmith::decode::chart {

namespace {

/// A rule that an edge of the graph applies.
struct UsedRule {
  uint32_t use;
  uint32_t option;
  Range range;
};

/// Replays a derivation bottom-up: a rule after those of its gaps, whose states it reads.
class ChartReplay : public DerivationReplay {
 public:
  ChartReplay(const WeightedModel& model, std::unique_ptr<OwnedChart> chart, std::vector<UsedRule> used)
      : model_(model), owned_(std::move(chart)), used_(std::move(used)) {}

  std::optional<AppliedOption> applied(uint32_t edge) const override {
    const UsedRule& used = used_[edge];
    return AppliedOption{owned_->chart.chart().uses[used.use].options[used.option], used.range};
  }

 private:
  void add(std::span<const uint32_t> edges, ModelSink& sink) override {
    const RuleChart& chart = owned_->chart.chart();
    begin();
    std::vector<uint32_t> states;  // of finished sub-derivations that no rule has taken yet, one row each
    for (size_t at = edges.size(); at-- > 0;) {  // in preorder, the derivations of the gaps follow
      const auto [number, option_number, range] = used_[edges[at]];
      const RuleUse& use = chart.uses[number];
      const Option& option = use.options[option_number];
      model_.pair_values(option, chart.input.words, sink);
      const size_t width = sessions_.size();
      // The last row is the first gap's: it was finished last.
      const auto state = [&](uint32_t gap, size_t feature) {
        return states[states.size() - (gap + 1) * width + feature];
      };
      chart_values(model_, chart, *placed_, sessions_, owned_->chart.input(), use, option, range, state,
                   sink);
      next_.clear();
      for (size_t feature = 0; feature < width; ++feature)
        next_.push_back(next(feature, use, option, range, state));
      states.resize(states.size() - use.arity * width);
      states.insert(states.end(), next_.begin(), next_.end());
    }
  }

  void begin() {
    if (!placed_) placed_.emplace(model_, owned_->chart.chart().input);
    if (sessions_.empty())
      for (const auto& part : model_.model().features())
        sessions_.push_back(part.feature->chart_session(model_.weights(part), part.prepared));
    for (const auto& session : sessions_) session->begin(owned_->chart.chart().input);
  }

  template <class State>
  uint32_t next(size_t feature, const RuleUse& use, const Option& option, Range range, State state) {
    if (option.border == grammar::Border::kBegin) return sessions_[feature]->start();
    if (option.border == grammar::Border::kEnd) return state(0, feature);
    tails_.clear();
    for (uint32_t gap = 0; gap < use.arity; ++gap) tails_.push_back(state(gap, feature));
    return sessions_[feature]->apply(tails_, {option, range, {}}).state;
  }

  const WeightedModel& model_;
  std::unique_ptr<OwnedChart> owned_;
  std::vector<UsedRule> used_;  // by edge of the graph
  std::optional<PlacedFeatures> placed_;
  std::vector<std::unique_ptr<FeatureSession>> sessions_;
  std::vector<uint32_t> next_, tails_;  // scratch
};

/// Nodes and edges as in the forest of the search.
class GraphBuilder {
 public:
  explicit GraphBuilder(const ChartSearch& search) : search_(search), graph(search.chart().input.words) {}

  void build() {
    const std::vector<char> reached = reached_nodes(search_);
    numbers_.resize(reached.size());
    for (uint32_t node = 0; node < reached.size(); ++node)
      if (reached[node]) {
        add_edges(node);
        numbers_[node] = graph.close_node();
      }
    for (const uint32_t node : search_.complete()) add_edges(node);
    if (!search_.complete().empty()) graph.close_node();
  }

 private:
  void add_edges(uint32_t node) {
    const RuleChart& chart = search_.chart();
    const Range range = unmarked(chart.cells[search_.nodes()[node].cell].range, chart.input.columns);
    for_each_linked(search_.edges(), search_.nodes()[node].edge, [&](const ChartEdge& edge) {
      const Option& option = search_.option(edge);
      const uint32_t rule = graph.rule(reinterpret_cast<uintptr_t>(&option), option.words, false);
      tails_.clear();
      for (const uint32_t tail : search_.tails(edge)) tails_.push_back(numbers_[tail]);
      graph.close_edge(tails_, rule, search_.edge_score(edge));
      used.push_back({edge.use, edge.option, range});
    });
  }

  const ChartSearch& search_;
  std::vector<uint32_t> numbers_;  // of nodes
  std::vector<uint32_t> tails_;    // scratch

 public:
  SearchGraph graph;
  std::vector<UsedRule> used;
};

}  // namespace

ScoredForest scored_forest(const WeightedModel& model, const ChartSearch& search,
                           std::unique_ptr<OwnedChart> chart) {
  GraphBuilder built(search);
  built.build();
  return {std::move(built.graph),
          std::make_unique<ChartReplay>(model, std::move(chart), std::move(built.used))};
}

}  // namespace tunesmith::decode::chart
