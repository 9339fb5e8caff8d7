#include "tunesmith/forest/borders.h"

#include "check.h"

namespace tunesmith::forest::borders_test {

struct TestEdge {
  std::vector<uint32_t> tails;
  std::vector<grammar::Symbol> target;
};

Forest build(const std::vector<std::vector<TestEdge>>& nodes) {
  ForestArrays arrays;
  auto names = std::make_shared<ForestNames>();
  names->words.add("a");
  names->words.add("b");
  for (const auto& edges : nodes) {
    for (const TestEdge& edge : edges) {
      arrays.tails.add(edge.tails);
      arrays.edge_rules.push_back(static_cast<uint32_t>(arrays.rules.ids.size()));
      arrays.spans.emplace_back();
      arrays.features.close();
      arrays.rules.sources.close();
      arrays.rules.targets.add(edge.target);
      arrays.rules.links.close();
      arrays.rules.features.close();
      arrays.rules.ids.push_back(-1);
    }
    arrays.edge_offsets.push_back(static_cast<uint32_t>(arrays.edge_rules.size()));
  }
  return Forest(std::move(arrays), std::move(names));
}

std::vector<grammar::Symbol> target(const BorderedForest& made, uint32_t edge) {
  const auto symbols = made.forest.target(edge);
  return {symbols.begin(), symbols.end()};
}

TEST(a_lattice_begins_at_its_first_edge_and_ends_at_its_last) {
  const grammar::Symbol gap = grammar::gap_symbol(0);
  const auto made = with_borders(build({{{{}, {}}}, {{{0}, {gap, 0}}, {{0}, {gap, 1}}}, {{{1}, {gap, 0}}}}));
  const auto [begin, end] = made.words;
  CHECK((target(made, 0) == std::vector<grammar::Symbol>{begin}));
  CHECK((target(made, 1) == std::vector<grammar::Symbol>{gap, 0}));
  CHECK((target(made, 3) == std::vector<grammar::Symbol>{gap, 0, end}));
}

TEST(a_node_that_occurs_elsewhere_too_gets_no_border) {
  const grammar::Symbol first = grammar::gap_symbol(0), second = grammar::gap_symbol(1);
  const auto made = with_borders(build({{{{}, {0}}}, {{{0, 0}, {second, first}}, {{0}, {1, first}}}}));
  const auto [begin, end] = made.words;
  CHECK((target(made, 0) == std::vector<grammar::Symbol>{0}));
  CHECK((target(made, 1) == std::vector<grammar::Symbol>{begin, second, first, end}));
  CHECK((target(made, 2) == std::vector<grammar::Symbol>{begin, 1, first, end}));
}

TEST(an_empty_forest_stays_empty) { CHECK(with_borders(build({})).forest.empty()); }

}  // namespace tunesmith::forest::borders_test
