#include "tunesmith/decode/phrase/search_forest.h"

#include "tunesmith/decode/edge_lists.h"
#include "tunesmith/decode/forest_assembly.h"
#include "tunesmith/decode/replay.h"

namespace tunesmith::decode::phrase {

namespace {

class ForestBuilder {
 public:
  ForestBuilder(const WeightedModel& model, const PhraseSearch& search)
      : model_(model),
        search_(search),
        target_words_(search.source_options().decoder_input().words),
        forest_(model.model()) {}

  std::shared_ptr<const forest::Forest> build() {
    reached_ = reached_nodes(search_);
    numbers_.assign(reached_.size(), 0);
    empty_rule_ = forest_.close_rule(Option::kBorder);  // the start rule: no words
    forest_.rules().targets.values.push_back(grammar::gap_symbol(0));
    end_rule_ = forest_.close_rule(Option::kBorder);
    for (uint32_t node = 0; node < reached_.size(); ++node)
      if (reached_[node]) add_node(node);
    if (!search_.complete().empty()) add_root();
    return forest_.take();
  }

 private:
  template <class Body>
  void for_each_edge_of(uint32_t node, Body body) const {
    for_each_linked(search_.edges(), search_.nodes()[node].edge, body);
  }

  void add_node(uint32_t node) {
    if (search_.nodes()[node].edge == PhraseSearch::kNone) forest_.close_edge({}, empty_rule_, {0, 0});
    for_each_edge_of(node, [&](const SearchEdge& edge) {
      const Step step = search_.step(edge);
      const uint32_t number = rule(edge, step.option);
      ColumnSink sink = forest_.sink();
      placed_values(model_.model(), search_.source_options().input(), search_.sessions(),
                    search_.states(edge.tail), search_.nodes()[edge.tail].last_end, step,
                    search_.source_options().path(edge.entry), sink);
      forest_.close_edge({&numbers_[edge.tail], 1}, number, step.range);
    });
    numbers_[node] = forest_.close_node();
  }

  void add_root() {
    for (const auto& complete : search_.complete()) {
      ColumnSink sink = forest_.sink();
      end_values(model_.model(), search_.sessions(), search_.states(complete.node), sink);
      const uint32_t end = search_.source_options().columns();
      forest_.close_edge({&numbers_[complete.node], 1}, end_rule_, {end, end});
    }
    forest_.close_node();
  }

  /// Edges with the same option of the same entry share a rule. Its links count the gap before its target
  /// words.
  uint32_t rule(const SearchEdge& edge, const Option& option) {
    forest::ForestRules& rules = forest_.rules();
    const auto next = static_cast<uint32_t>(rules.size());
    const auto [number, is_new] = rules_.insert(uint64_t{edge.entry} << 32 | edge.option, next);
    if (!is_new) return number;
    add_source(edge, option);
    rules.targets.values.push_back(grammar::gap_symbol(0));
    for (const int32_t word : option.words) rules.targets.values.push_back(forest_.word(target_words_[word]));
    for (const corpus::Link link : option.alignment)
      rules.links.values.push_back({link.source, link.target + 1});
    ColumnSink sink = forest_.sink();
    model_.pair_values(option, target_words_, sink);
    search_.source_options().placed_values(edge.entry, option, sink);
    return forest_.close_rule(option.rule);
  }

  void add_source(const SearchEdge& edge, const Option& option) {
    auto& symbols = forest_.rules().sources.values;
    if (option.rule == Option::kGiven) {
      const SourceOptions& source_options = search_.source_options();
      const Range range = source_options.entries()[edge.entry].range;
      for (uint32_t i = range.begin; i < range.end; ++i)
        symbols.push_back(forest_.word(source_options.decoder_input().source[i]));
      return;
    }
    if (option.rule == Option::kUnknownWord) {
      const size_t passed = option.phrase - model_.model().phrase_count();
      symbols.push_back(forest_.word(target_words_.passed[passed]));
      if (!option.words.empty()) forest_.rules().links.values.push_back({0, 1});
      return;
    }
    for (const int32_t word : option.source)
      symbols.push_back(forest_.word(model_.model().source_word(option, word)));
  }

  const WeightedModel& model_;
  const PhraseSearch& search_;
  TargetWords target_words_;
  ForestAssembly forest_;
  FlatMap<uint32_t> rules_;
  std::vector<char> reached_;
  std::vector<uint32_t> numbers_;
  uint32_t empty_rule_ = 0, end_rule_ = 0;
};

}  // namespace

std::vector<char> reached_nodes(const PhraseSearch& search) {
  std::vector<char> reached(search.nodes().size());
  for (const auto& complete : search.complete()) reached[complete.node] = 1;
  for (size_t node = reached.size(); node-- > 0;)  // tails have lower numbers
    if (reached[node])
      for_each_linked(search.edges(), search.nodes()[node].edge,
                      [&](const SearchEdge& edge) { reached[edge.tail] = 1; });
  return reached;
}

std::shared_ptr<const forest::Forest> search_forest(const WeightedModel& model, const PhraseSearch& search) {
  return ForestBuilder(model, search).build();
}

std::shared_ptr<const forest::Forest> empty_search_forest(const WeightedModel& model) {
  return ForestAssembly(model.model()).take();
}

}  // namespace tunesmith::decode::phrase
