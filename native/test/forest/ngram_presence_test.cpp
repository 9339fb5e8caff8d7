#include "tunesmith/forest/ngram_presence.h"

#include <cmath>
#include <limits>
#include <set>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/splitmix.h"

namespace tunesmith::forest::ngram_presence_test {

/// Up to 2 tails per edge; the words do not matter, as hits are given.
Forest random_forest(SplitMix& random, uint32_t nodes) {
  ForestArrays arrays;
  for (uint32_t node = 0; node < nodes; ++node) {
    for (uint32_t edges = 1 + random.below(2); edges > 0; --edges) {
      std::vector<grammar::Symbol> target;
      std::vector<uint32_t> tails;
      for (uint32_t i = node == 0 ? 0 : random.below(3); i > 0; --i) {
        target.push_back(grammar::gap_symbol(tails.size()));
        tails.push_back(random.below(node));
      }
      arrays.tails.add(tails);
      arrays.edge_rules.push_back(static_cast<uint32_t>(arrays.rules.ids.size()));
      arrays.spans.emplace_back();
      arrays.features.close();
      arrays.rules.sources.close();
      arrays.rules.targets.add(target);
      arrays.rules.links.close();
      arrays.rules.features.close();
      arrays.rules.ids.push_back(-1);
    }
    arrays.edge_offsets.push_back(static_cast<uint32_t>(arrays.edge_rules.size()));
  }
  return Forest(std::move(arrays), std::make_shared<ForestNames>());
}

struct Drawn {
  double weight;
  std::set<int32_t> ngrams;
};

struct Hits {
  std::vector<int32_t> offsets{0};
  std::vector<int32_t> ids;
};

/// All derivations of a node: their weights and n-grams.
std::vector<Drawn> derivations(const Forest& forest, const std::vector<double>& scores, const Hits& hits,
                               uint32_t node) {
  std::vector<Drawn> result;
  for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
    std::vector<Drawn> partial{
        {std::exp(scores[edge]),
         {hits.ids.begin() + hits.offsets[edge], hits.ids.begin() + hits.offsets[edge + 1]}}};
    for (const uint32_t tail : forest.tails(edge)) {
      std::vector<Drawn> longer;
      for (const Drawn& one : partial)
        for (const Drawn& below : derivations(forest, scores, hits, tail)) {
          longer.push_back({one.weight * below.weight, one.ngrams});
          longer.back().ngrams.insert(below.ngrams.begin(), below.ngrams.end());
        }
      partial = std::move(longer);
    }
    result.insert(result.end(), partial.begin(), partial.end());
  }
  return result;
}

TEST(presence_is_that_of_all_derivations) {
  SplitMix random(7, 0);
  for (int round = 0; round < 200; ++round) {
    const Forest forest = random_forest(random, 1 + random.below(5));
    const int32_t count = 1 + static_cast<int32_t>(random.below(20));
    std::vector<double> scores;
    Hits hits;
    for (size_t edge = 0; edge < forest.edge_count(); ++edge) {
      scores.push_back(random.below(100) / 25.0 - 2);
      for (int32_t id = 0; id < count; ++id)
        if (random.below(4) == 0) hits.ids.push_back(id);
      hits.offsets.push_back(static_cast<int32_t>(hits.ids.size()));
    }
    double sum = 0;
    std::vector<double> expected(static_cast<size_t>(count));
    for (const Drawn& one : derivations(forest, scores, hits, forest.root())) {
      sum += one.weight;
      for (const int32_t id : one.ngrams) expected[static_cast<size_t>(id)] += one.weight;
    }
    for (const int threads : {1, 3}) {
      const auto found = ngram_presence(forest, scores, {hits.offsets, hits.ids, expected.size()}, threads);
      for (size_t i = 0; i < expected.size(); ++i) CHECK_NEAR(found[i], expected[i] / sum, 1e-12);
    }
  }
}

TEST(what_does_not_fit_is_refused) {
  SplitMix random(1, 0);
  const Forest forest = random_forest(random, 1);
  const std::vector<double> scores(forest.edge_count(), -std::numeric_limits<double>::infinity());
  std::vector<int32_t> offsets(forest.edge_count() + 1);
  CHECK_THROWS(ngram_presence(forest, scores, {offsets, {}, 0}, 1), InputError);
  offsets.back() = 1;
  const std::vector<int32_t> ids{3};
  CHECK_THROWS(ngram_presence(forest, std::vector<double>(forest.edge_count()), {offsets, ids, 3}, 1),
               InputError);
  CHECK_THROWS(ngram_presence(forest, std::vector<double>(forest.edge_count()), {{}, {}, 0}, 1), InputError);
}

}  // namespace tunesmith::forest::ngram_presence_test
