#include "tunesmith/decode/search_graph.h"

namespace tunesmith::decode {

uint32_t SearchGraph::rule(uint64_t key, std::span<const int32_t> target, bool follows_tail, int64_t id) {
  forest::ForestRules& rules = arrays_.rules;
  const auto [number, is_new] = rules_.insert(key, static_cast<uint32_t>(rules.size()));
  if (!is_new) return number;
  if (follows_tail) rules.targets.values.push_back(grammar::gap_symbol(0));
  for (const int32_t symbol : target)
    rules.targets.values.push_back(grammar::is_gap(symbol) ? symbol : word(symbol));
  rules.targets.close();
  rules.sources.close();
  rules.links.close();
  rules.features.close();
  rules.ids.push_back(id);
  return number;
}

grammar::Symbol SearchGraph::word(int32_t word) {
  const auto [number, is_new] =
      numbers_.insert(static_cast<uint64_t>(word), static_cast<uint32_t>(texts_.size()));
  if (is_new) texts_.add(words_[word]);
  return static_cast<grammar::Symbol>(number);
}

void SearchGraph::close_edge(std::span<const uint32_t> tails, uint32_t rule, double score,
                             forest::SourceSpan span) {
  arrays_.tails.add(tails);
  arrays_.edge_rules.push_back(rule);
  arrays_.spans.push_back(span);
  arrays_.features.close();
  scores_.push_back(score);
}

uint32_t SearchGraph::close_node() {
  arrays_.edge_offsets.push_back(static_cast<uint32_t>(arrays_.edge_rules.size()));
  return static_cast<uint32_t>(arrays_.edge_offsets.size()) - 2;
}

forest::Forest SearchGraph::take() {
  auto names = std::make_shared<forest::ForestNames>();
  names->words = std::move(texts_);
  return {std::move(arrays_), std::move(names)};
}

}  // namespace tunesmith::decode
