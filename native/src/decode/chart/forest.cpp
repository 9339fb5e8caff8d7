#include "tunesmith/decode/chart/forest.h"

#include "tunesmith/decode/edge_lists.h"
#include "tunesmith/decode/forest_assembly.h"

namespace tunesmith::decode::chart {

void chart_edge_values(const WeightedModel& model, const ChartSearch& search,
                       const corpus::WordLattice& input, const ChartEdge& edge, Range range,
                       ModelSink& sink) {
  const auto tails = search.tails(edge);
  const auto state = [&](uint32_t gap, size_t feature) { return search.state(tails[gap], feature); };
  const RuleChart& chart = search.chart();
  chart_values(model, chart, search.placed_features(), search.sessions(), input, chart.uses[edge.use],
               search.option(edge), range, state, sink);
}

std::vector<char> reached_nodes(const ChartSearch& search) {
  std::vector<char> reached(search.nodes().size());
  const auto mark_tails = [&](uint32_t node) {
    for_each_linked(search.edges(), search.nodes()[node].edge, [&](const ChartEdge& edge) {
      for (const uint32_t tail : search.tails(edge)) reached[tail] = 1;
    });
  };
  for (const uint32_t node : search.complete()) mark_tails(node);
  for (uint32_t node = static_cast<uint32_t>(reached.size()); node-- > 0;)  // tails have lower numbers
    if (reached[node]) mark_tails(node);
  return reached;
}

namespace {

class ChartForestBuilder {
 public:
  ChartForestBuilder(const WeightedModel& model, const ChartSearch& search, const SentenceChart& chart)
      : model_(model),
        search_(search),
        input_(chart.input()),
        sentence_(chart),
        target_words_(search.chart().input.words),
        forest_(model.model()) {}

  ChartForest build() {
    reached_ = reached_nodes(search_);
    numbers_.assign(reached_.size(), 0);
    for (uint32_t node = 0; node < reached_.size(); ++node)
      if (reached_[node]) {
        add_edges(node);
        numbers_[node] = close_node(node);
      }
    for (const uint32_t node : search_.complete()) add_edges(node);
    if (!search_.complete().empty()) close_node(search_.complete()[0]);
    return {forest_.take(), std::move(categories_)};
  }

 private:
  uint32_t close_node(uint32_t node) {
    const ChartCell& cell = search_.chart().cells[search_.nodes()[node].cell];
    categories_.emplace_back(sentence_.category(cell.category));
    return forest_.close_node();
  }

  template <class Body>
  void for_each_edge_of(uint32_t node, Body body) const {
    for_each_linked(search_.edges(), search_.nodes()[node].edge, body);
  }

  void add_edges(uint32_t node) {
    const RuleChart& chart = search_.chart();
    const Range range = unmarked(chart.cells[search_.nodes()[node].cell].range, chart.input.columns);
    std::vector<uint32_t> tails;
    for_each_edge_of(node, [&](const ChartEdge& edge) {
      const uint32_t number = rule(edge);
      tails.clear();
      for (const uint32_t tail : search_.tails(edge)) tails.push_back(numbers_[tail]);
      ColumnSink sink = forest_.sink();
      chart_edge_values(model_, search_, input_, edge, range, sink);
      forest_.close_edge(tails, number, range);
    });
  }

  /// Edges with the same option share a rule.
  uint32_t rule(const ChartEdge& edge) {
    const Option& option = search_.option(edge);
    forest::ForestRules& rules = forest_.rules();
    const auto next = static_cast<uint32_t>(rules.size());
    const auto [number, is_new] = rules_.insert(reinterpret_cast<uintptr_t>(&option), next);
    if (!is_new) return number;
    for (const grammar::Symbol symbol : option.words)
      rules.targets.values.push_back(grammar::is_gap(symbol) ? symbol : forest_.word(target_words_[symbol]));
    add_source(edge, option);
    ColumnSink sink = forest_.sink();
    model_.pair_values(option, target_words_, sink);
    return forest_.close_rule(option.rule);
  }

  void add_source(const ChartEdge& edge, const Option& option) {
    forest::ForestRules& rules = forest_.rules();
    if (option.rule == Option::kUnknownWord) {
      const PlacedSymbol& symbol = search_.chart().symbols[search_.chart().uses[edge.use].last_symbol];
      rules.sources.values.push_back(forest_.word(input_.arcs(symbol.column)[symbol.arc].word));
      if (!option.words.empty()) rules.links.values.push_back({0, 0});
      return;
    }
    if (option.border == grammar::Border::kBegin) return;
    for (const grammar::Symbol symbol : option.source) {
      if (grammar::is_gap(symbol))
        rules.sources.values.push_back(symbol);
      else if (option.border == grammar::Border::kNone)
        rules.sources.values.push_back(forest_.word(model_.model().source_word(option, symbol)));
    }
    rules.links.values.insert(rules.links.values.end(), option.alignment.begin(), option.alignment.end());
  }

  const WeightedModel& model_;
  const ChartSearch& search_;
  const corpus::WordLattice& input_;
  const SentenceChart& sentence_;
  TargetWords target_words_;
  ForestAssembly forest_;
  FlatMap<uint32_t> rules_;
  std::vector<char> reached_;
  std::vector<uint32_t> numbers_;
  std::vector<std::string> categories_;
};

}  // namespace

ChartForest chart_forest(const WeightedModel& model, const ChartSearch& search, const SentenceChart& chart) {
  return ChartForestBuilder(model, search, chart).build();
}

}  // namespace tunesmith::decode::chart
