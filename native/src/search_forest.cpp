#include "tunesmith/search_forest.h"

#include "tunesmith/replay.h"

namespace tunesmith {

namespace {

class ForestBuilder {
 public:
  ForestBuilder(const WeightedModel& model, const PhraseSearch& search)
      : model_(model), search_(search), target_words_(search.chart().decoder_input().words) {
    for (const std::string& name : model.model().names()) features_.intern(name);
  }

  std::shared_ptr<const Forest> build() {
    mark_reached();
    empty_rule_ = add_rule(Option::kBorder);  // of the start: no words
    end_rule_ = add_end_rule();
    for (uint32_t node = 0; node < reached_.size(); ++node)
      if (reached_[node]) add_node(node);
    if (!search_.complete().empty()) add_root();
    auto names = std::make_shared<ForestNames>();
    names->words = words_.take_names();
    names->features = features_.take_names();
    return std::make_shared<const Forest>(std::move(arrays_), std::move(names));
  }

 private:
  /// Nodes from which a complete translation is reached. Tails have lower numbers.
  void mark_reached() {
    reached_.assign(search_.nodes().size(), 0);
    numbers_.assign(search_.nodes().size(), 0);
    for (const auto& complete : search_.complete()) reached_[complete.node] = 1;
    for (uint32_t node = static_cast<uint32_t>(reached_.size()); node-- > 0;)
      if (reached_[node]) for_each_edge(node, [&](const SearchEdge& edge) { reached_[edge.tail] = 1; });
  }

  template <class Body>
  void for_each_edge(uint32_t node, Body body) const {
    for (uint32_t edge = search_.nodes()[node].edge; edge != PhraseSearch::kNone;
         edge = search_.edges()[edge].next)
      body(search_.edges()[edge]);
  }

  void add_node(uint32_t node) {
    numbers_[node] = static_cast<uint32_t>(arrays_.edge_offsets.size()) - 1;
    if (search_.nodes()[node].edge == PhraseSearch::kNone) add_edge({}, empty_rule_, {0, 0});
    for_each_edge(node, [&](const SearchEdge& edge) {
      const Step step = search_.step(edge);
      const uint32_t number = rule(edge, step.option);
      ColumnSink sink(model_.model(), values_);
      placed_values(model_.model(), search_.chart().input(), search_.sessions(), search_.states(edge.tail),
                    search_.nodes()[edge.tail].last_end, step, search_.chart().way(edge.entry), sink);
      const uint32_t tail[] = {numbers_[edge.tail]};
      add_edge(tail, number, {static_cast<int32_t>(step.range.begin), static_cast<int32_t>(step.range.end)});
    });
    arrays_.edge_offsets.push_back(static_cast<uint32_t>(arrays_.edge_rules.size()));
  }

  void add_root() {
    for (const auto& complete : search_.complete()) {
      ColumnSink sink(model_.model(), values_);
      end_values(model_.model(), search_.sessions(), search_.states(complete.node), sink);
      const uint32_t tail[] = {numbers_[complete.node]};
      const auto end = static_cast<int32_t>(search_.chart().columns());
      add_edge(tail, end_rule_, {end, end});
    }
    arrays_.edge_offsets.push_back(static_cast<uint32_t>(arrays_.edge_rules.size()));
  }

  void add_edge(std::span<const uint32_t> tails, uint32_t rule, SourceSpan span) {
    arrays_.tails.add(tails);
    arrays_.edge_rules.push_back(rule);
    arrays_.spans.push_back(span);
    add_features(arrays_.features);
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

  /// Edges with the same option of the same entry share a rule. Its links count the gap before its target
  /// words.
  uint32_t rule(const SearchEdge& edge, const Option& option) {
    const auto next = static_cast<uint32_t>(arrays_.rules.size());
    const auto [number, is_new] = rules_.insert(uint64_t{edge.entry} << 32 | edge.option, next);
    if (!is_new) return number;
    ForestRules& rules = arrays_.rules;
    add_source(edge, option);
    rules.targets.values.push_back(gap_symbol(0));
    for (const int32_t word : option.words)
      rules.targets.values.push_back(words_.intern(target_words_[word]));
    for (const Link link : option.alignment) rules.links.values.push_back({link.source, link.target + 1});
    ColumnSink sink(model_.model(), values_);
    model_.pair_values(option, sink);
    return add_rule(option.rule);
  }

  void add_source(const SearchEdge& edge, const Option& option) {
    auto& symbols = arrays_.rules.sources.values;
    if (option.rule == Option::kGiven) {
      const OptionChart& chart = search_.chart();
      const Range range = chart.entries()[edge.entry].range;
      for (uint32_t i = range.begin; i < range.end; ++i)
        symbols.push_back(words_.intern(chart.decoder_input().source[i]));
      return;
    }
    if (option.rule == Option::kUnknownWord) {
      const size_t passed = option.phrase - model_.model().phrase_count();
      symbols.push_back(words_.intern(target_words_.passed[passed]));
      if (!option.words.empty()) arrays_.rules.links.values.push_back({0, 1});
      return;
    }
    const auto& table = *model_.model().tables()[static_cast<size_t>(option.rule >> 32)].table;
    for (const int32_t word : option.source)
      symbols.push_back(words_.intern(table.source_words().word(word)));
  }

  uint32_t add_end_rule() {
    arrays_.rules.targets.values.push_back(gap_symbol(0));
    return add_rule(Option::kBorder);
  }

  /// Ends the rows of a rule.
  uint32_t add_rule(int64_t id) {
    ForestRules& rules = arrays_.rules;
    rules.sources.close();
    rules.targets.close();
    rules.links.close();
    add_features(rules.features);
    rules.ids.push_back(id);
    return static_cast<uint32_t>(rules.ids.size()) - 1;
  }

  const WeightedModel& model_;
  const PhraseSearch& search_;
  TargetWords target_words_;
  ForestArrays arrays_;
  NameTable words_, features_;
  FlatMap<uint32_t> rules_;
  std::vector<char> reached_;
  std::vector<uint32_t> numbers_;
  std::vector<FeatureValue> values_;
  uint32_t empty_rule_ = 0, end_rule_ = 0;
};

}  // namespace

std::shared_ptr<const Forest> search_forest(const WeightedModel& model, const PhraseSearch& search) {
  return ForestBuilder(model, search).build();
}

std::shared_ptr<const Forest> empty_search_forest(const WeightedModel& model) {
  auto names = std::make_shared<ForestNames>();
  for (const std::string& name : model.model().names()) names->features.add(name);
  return std::make_shared<const Forest>(ForestArrays{}, std::move(names));
}

}  // namespace tunesmith
