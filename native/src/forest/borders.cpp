#include "tunesmith/forest/borders.h"

#include <map>

namespace tunesmith::forest {

namespace {

/// Where in the yields of the root a node occurs.
struct Positions {
  bool inside = false;  // elsewhere than at the beginning (or end) of the yield
  bool border = false;
};

/// Finds the edges that get the marker of one end of yields: those at nodes that occur only there.
class YieldBorder {
 public:
  YieldBorder(const Forest& forest, bool at_begin) : forest_(forest), at_begin_(at_begin) {
    std::vector<Positions> positions(forest.node_count());
    adds_.assign(forest.edge_count(), 0);
    if (forest.empty()) return;
    positions[forest.root()].border = true;
    for (uint32_t node = forest.root() + 1; node-- > 0;)  // heads before tails: all positions are known
      for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
        const auto tails = forest.tails(edge);
        const bool at_border = is_at_border(positions[node]);
        const int64_t outer = at_border ? outer_gap(edge) : -1;
        for (size_t i = 0; i < tails.size(); ++i)
          (static_cast<int64_t>(i) == outer ? positions[tails[i]].border : positions[tails[i]].inside) = true;
      }
    for (uint32_t node = 0; node < forest.node_count(); ++node) {
      if (!is_at_border(positions[node])) continue;
      for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
        const int64_t outer = outer_gap(edge);
        adds_[edge] = outer < 0 || !is_at_border(positions[forest.tails(edge)[static_cast<size_t>(outer)]]);
      }
    }
  }

  bool adds(uint32_t edge) const { return adds_[edge] != 0; }

 private:
  static bool is_at_border(const Positions& positions) { return positions.border && !positions.inside; }

  /// The tail at the outer end of the edge's yield; -1 if there is a word or nothing.
  int64_t outer_gap(uint32_t edge) const {
    const auto target = forest_.target(edge);
    if (target.empty()) return -1;
    const grammar::Symbol symbol = at_begin_ ? target.front() : target.back();
    return grammar::is_gap(symbol) ? static_cast<int64_t>(grammar::gap_index(symbol)) : -1;
  }

  const Forest& forest_;
  bool at_begin_;
  std::vector<uint8_t> adds_;
};

uint32_t add_bordered_rule(ForestRules& rules, uint32_t rule, bool begins, bool ends,
                           const BorderWords& words) {
  const std::vector<grammar::Symbol> source(rules.sources[rule].begin(), rules.sources[rule].end());
  std::vector<grammar::Symbol> target(rules.targets[rule].begin(), rules.targets[rule].end());
  std::vector<corpus::Link> links(rules.links[rule].begin(), rules.links[rule].end());
  const std::vector<FeatureValue> features(rules.features[rule].begin(), rules.features[rule].end());
  if (begins) {
    target.insert(target.begin(), words.begin);
    for (corpus::Link& link : links) ++link.target;
  }
  if (ends) target.push_back(words.end);
  rules.sources.add(source);
  rules.targets.add(target);
  rules.links.add(links);
  rules.features.add(features);
  rules.ids.push_back(rules.ids[rule]);
  return static_cast<uint32_t>(rules.size()) - 1;
}

}  // namespace

BorderedForest with_borders(const Forest& forest) {
  auto names = std::make_shared<ForestNames>(forest.names());
  const auto next = static_cast<grammar::Symbol>(names->words.size());
  const BorderWords words{next, next + 1};
  names->words.add("<s>");
  names->words.add("</s>");
  ForestArrays arrays = forest.arrays();
  const YieldBorder begin(forest, true), end(forest, false);
  std::map<std::pair<uint32_t, int>, uint32_t> copies;
  for (uint32_t edge = 0; edge < forest.edge_count(); ++edge) {
    const int kind = (begin.adds(edge) ? 1 : 0) + (end.adds(edge) ? 2 : 0);
    if (kind == 0) continue;
    const auto [copy, is_new] = copies.try_emplace({forest.rule(edge), kind});
    if (is_new)
      copy->second =
          add_bordered_rule(arrays.rules, forest.rule(edge), begin.adds(edge), end.adds(edge), words);
    arrays.edge_rules[edge] = copy->second;
  }
  return {Forest(std::move(arrays), std::move(names)), words};
}

}  // namespace tunesmith::forest
