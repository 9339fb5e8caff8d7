#include "tunesmith/chart_forest.h"

#include "tunesmith/arc_features.h"

namespace tunesmith {

void chart_edge_values(const WeightedModel& model, const ChartSearch& search, const WordLattice& input,
                       const ChartEdge& edge, Range range, ColumnSink& sink) {
  const RuleChart& chart = search.chart();
  sink.begin(0);
  for (uint32_t at = chart.uses[edge.use].last_symbol; at != kNoNumber; at = chart.symbols[at].before) {
    const PlacedSymbol& symbol = chart.symbols[at];
    if (symbol.cell == kNoNumber) arc_values(model.model(), input.arcs(symbol.column)[symbol.arc], sink);
  }
  const Option& option = search.option(edge);
  if (option.border == Border::kBegin) return;
  const auto tails = search.tails(edge);
  std::vector<uint32_t> states(tails.size());
  for (size_t feature = 0; feature < search.sessions().size(); ++feature) {
    sink.begin(model.model().features()[feature].first);
    for (size_t gap = 0; gap < tails.size(); ++gap) states[gap] = search.state(tails[gap], feature);
    if (option.border == Border::kEnd)
      search.sessions()[feature]->final_values(states[0], sink);
    else
      search.sessions()[feature]->values(states, {option, range, {}}, sink);
  }
}

namespace {

class ChartForestBuilder {
 public:
  ChartForestBuilder(const WeightedModel& model, const ChartSearch& search, const SentenceChart& chart)
      : model_(model), search_(search), input_(chart.input()), target_words_(search.chart().input.words) {
    for (const std::string& name : model.model().names()) features_.intern(name);
  }

  std::shared_ptr<const Forest> build() {
    mark_reached();
    for (uint32_t node = 0; node < reached_.size(); ++node)
      if (reached_[node]) add_node(node);
    for (const uint32_t node : search_.complete()) add_edges(node);
    if (!search_.complete().empty()) close_node();
    auto names = std::make_shared<ForestNames>();
    names->words = words_.take_names();
    names->features = features_.take_names();
    return std::make_shared<const Forest>(std::move(arrays_), std::move(names));
  }

 private:
  /// Nodes below the goal from which it is reached. Tails have lower numbers.
  void mark_reached() {
    reached_.assign(search_.nodes().size(), 0);
    numbers_.assign(search_.nodes().size(), 0);
    const auto mark_tails = [&](const ChartEdge& edge) {
      for (const uint32_t tail : search_.tails(edge)) reached_[tail] = 1;
    };
    for (const uint32_t node : search_.complete()) for_each_edge(node, mark_tails);
    for (uint32_t node = static_cast<uint32_t>(reached_.size()); node-- > 0;)
      if (reached_[node]) for_each_edge(node, mark_tails);
  }

  template <class Body>
  void for_each_edge(uint32_t node, Body body) const {
    for (uint32_t edge = search_.nodes()[node].edge; edge != ChartSearch::kNone;
         edge = search_.edges()[edge].next)
      body(search_.edges()[edge]);
  }

  void add_node(uint32_t node) {
    numbers_[node] = static_cast<uint32_t>(arrays_.edge_offsets.size()) - 1;
    add_edges(node);
    close_node();
  }
  void close_node() { arrays_.edge_offsets.push_back(static_cast<uint32_t>(arrays_.edge_rules.size())); }

  void add_edges(uint32_t node) {
    const RuleChart& chart = search_.chart();
    const Range range = unmarked(chart.cells[search_.nodes()[node].cell].range, chart.input.columns);
    for_each_edge(node, [&](const ChartEdge& edge) {
      arrays_.edge_rules.push_back(rule(edge));
      for (const uint32_t tail : search_.tails(edge)) arrays_.tails.values.push_back(numbers_[tail]);
      arrays_.tails.close();
      arrays_.spans.push_back({static_cast<int32_t>(range.begin), static_cast<int32_t>(range.end)});
      ColumnSink sink(model_.model(), values_);
      chart_edge_values(model_, search_, input_, edge, range, sink);
      add_features(arrays_.features);
    });
  }

  /// Moves the noted values into a row; features by name get columns of this forest.
  void add_features(Rows<FeatureValue>& rows) {
    for (FeatureValue value : values_) {
      if (value.column >= model_.model().names().size())
        value.column = static_cast<uint32_t>(features_.intern(model_.model().column_name(value.column)));
      rows.values.push_back(value);
    }
    values_.clear();
    rows.close();
  }

  /// Edges with the same option share a rule.
  uint32_t rule(const ChartEdge& edge) {
    const Option& option = search_.option(edge);
    const auto next = static_cast<uint32_t>(arrays_.rules.size());
    const auto [number, is_new] = rules_.insert(reinterpret_cast<uintptr_t>(&option), next);
    if (!is_new) return number;
    ForestRules& rules = arrays_.rules;
    for (const Symbol symbol : option.words)
      rules.targets.values.push_back(is_gap(symbol) ? symbol : words_.intern(target_words_[symbol]));
    rules.targets.close();
    add_source(edge, option);
    rules.sources.close();
    rules.links.close();
    ColumnSink sink(model_.model(), values_);
    model_.pair_values(option, sink);
    add_features(rules.features);
    rules.ids.push_back(option.rule);
    return number;
  }

  void add_source(const ChartEdge& edge, const Option& option) {
    ForestRules& rules = arrays_.rules;
    if (option.rule == Option::kUnknownWord) {
      const PlacedSymbol& symbol = search_.chart().symbols[search_.chart().uses[edge.use].last_symbol];
      rules.sources.values.push_back(words_.intern(input_.arcs(symbol.column)[symbol.arc].word));
      if (!option.words.empty()) rules.links.values.push_back({0, 0});
      return;
    }
    if (option.border == Border::kBegin) return;
    for (const Symbol symbol : option.source) {
      if (is_gap(symbol))
        rules.sources.values.push_back(symbol);
      else if (option.border == Border::kNone)
        rules.sources.values.push_back(words_.intern(model_.model().source_word(option, symbol)));
    }
    rules.links.values.insert(rules.links.values.end(), option.alignment.begin(), option.alignment.end());
  }

  const WeightedModel& model_;
  const ChartSearch& search_;
  const WordLattice& input_;
  TargetWords target_words_;
  ForestArrays arrays_;
  NameTable words_, features_;
  FlatMap<uint32_t> rules_;
  std::vector<char> reached_;
  std::vector<uint32_t> numbers_;
  std::vector<FeatureValue> values_;
};

}  // namespace

std::shared_ptr<const Forest> chart_forest(const WeightedModel& model, const ChartSearch& search,
                                           const SentenceChart& chart) {
  return ChartForestBuilder(model, search, chart).build();
}

}  // namespace tunesmith
