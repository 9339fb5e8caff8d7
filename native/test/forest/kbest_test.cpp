#include "tunesmith/forest/kbest.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "check.h"
#include "tunesmith/base/splitmix.h"
#include "tunesmith/forest/derivation_reading.h"
#include "tunesmith/forest/inside_outside.h"
#include "tunesmith/forest/sample.h"
#include "tunesmith/forest/trim.h"
#include "tunesmith/forest/union.h"

namespace tunesmith::forest::kbest_test {

using Edges = std::vector<uint32_t>;

/// All derivations, as lists of edges.
struct FreeSemiring {
  using Value = std::vector<Edges>;
  static Value zero() { return {}; }
  static Value plus(Value a, const Value& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
  static Value times(const Value& a, const Value& b) {
    Value result;
    for (const Edges& left : a)
      for (const Edges& right : b) {
        result.push_back(left);
        result.back().insert(result.back().end(), right.begin(), right.end());
      }
    return result;
  }
};

/// Up to five nodes of up to three edges of up to two tails, any of those before.
Forest random_forest(SplitMix& random) {
  ForestArrays arrays;
  auto names = std::make_shared<ForestNames>();
  names->words.add("a");
  names->words.add("b");
  names->features.add("f");
  for (uint32_t node = 0, nodes = 1 + random.below(5); node < nodes; ++node) {
    for (uint32_t edges = 1 + random.below(3); edges > 0; --edges) {
      for (uint32_t tails = node == 0 ? 0 : random.below(3), i = 0; i < tails; ++i) {
        arrays.tails.values.push_back(random.below(node));
        arrays.rules.targets.values.push_back(grammar::gap_symbol(tails - 1 - i));
      }
      arrays.tails.close();
      arrays.rules.targets.values.push_back(static_cast<grammar::Symbol>(random.below(2)));
      arrays.rules.targets.close();
      arrays.rules.sources.close();
      arrays.rules.links.values.push_back({0, 0});
      arrays.rules.links.close();
      arrays.rules.features.values.push_back({0, 1});
      arrays.rules.features.close();
      arrays.rules.ids.push_back(-1);
      arrays.features.close();
      arrays.edge_rules.push_back(static_cast<uint32_t>(arrays.edge_rules.size()));
      const auto begin = static_cast<int32_t>(random.below(3));
      arrays.spans.push_back({begin, begin + static_cast<int32_t>(random.below(3))});
    }
    arrays.edge_offsets.push_back(static_cast<uint32_t>(arrays.edge_rules.size()));
  }
  return {std::move(arrays), std::move(names)};
}

std::vector<Edges> enumerate(const Forest& forest) {
  return inside<FreeSemiring>(forest, [](uint32_t edge) { return std::vector<Edges>{{edge}}; }).back();
}

TEST(all_derivations_come_once_by_decreasing_score) {
  SplitMix random(5, 1);
  for (int trial = 0; trial < 500; ++trial) {
    const Forest forest = random_forest(random);
    std::vector<double> scores(forest.edge_count());
    for (double& score : scores) score = random.below(6);
    const auto all = enumerate(forest);
    const auto found = kbest(forest, scores, {1u << 30, false, 1});
    CHECK(found.size() == all.size());
    std::set<Edges> distinct;
    for (size_t i = 0; i < found.size(); ++i) {
      distinct.insert(found[i].edges);
      CHECK(i == 0 || found[i].score <= found[i - 1].score);
    }
    CHECK(distinct == std::set<Edges>(all.begin(), all.end()));
  }
}

TEST(unique_derivations_are_the_best_of_each_yield) {
  SplitMix random(8, 1);
  for (int trial = 0; trial < 500; ++trial) {
    const Forest forest = random_forest(random);
    std::vector<double> scores(forest.edge_count());
    for (double& score : scores) score = random.below(6);
    std::map<std::vector<grammar::Symbol>, double> best;
    for (const Edges& edges : enumerate(forest)) {
      double score = 0;
      for (const uint32_t edge : edges) score += scores[edge];
      double& known = best.try_emplace(derivation_words(forest, edges), score).first->second;
      known = std::max(known, score);
    }
    std::map<std::vector<grammar::Symbol>, double> found;
    for (const Derivation& derivation : kbest(forest, scores, {1u << 20, true, 1000}))
      CHECK(found.emplace(derivation_words(forest, derivation.edges), derivation.score).second);
    CHECK(found == best);
  }
}

TEST(what_is_made_of_a_forest_is_a_forest) {
  SplitMix random(6, 1);
  for (int trial = 0; trial < 300; ++trial) {
    const Forest one = random_forest(random), two = random_forest(random);
    const Forest* both[] = {&one, &two};
    const Forest united = unite_forests(both);
    CHECK(enumerate(united).size() == enumerate(one).size() + enumerate(two).size());
    std::vector<uint8_t> keep(united.edge_count());
    for (uint8_t& mark : keep) mark = random.below(4) != 0;
    const Forest trimmed = trim(united, keep);
    size_t left = 0;
    for (const Edges& edges : enumerate(united))
      left += std::all_of(edges.begin(), edges.end(), [&](uint32_t edge) { return keep[edge] != 0; });
    CHECK((trimmed.empty() ? 0 : enumerate(trimmed).size()) == left);
    if (trimmed.empty()) continue;
    const std::vector<double> scores(trimmed.edge_count());
    for (const Derivation& derivation : sample_derivations(trimmed, scores, 3, 1, 2))
      CHECK(read_derivation(trimmed, derivation.edges).words.size() > 0);
  }
}

}  // namespace tunesmith::forest::kbest_test
