#include "tunesmith/forest/ngrams.h"

#include <numeric>
#include <string>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/splitmix.h"
#include "tunesmith/forest/context.h"
#include "tunesmith/forest/inside_outside.h"
#include "tunesmith/forest/intersection.h"
#include "tunesmith/forest/oracles/bleu_oracle.h"
#include "tunesmith/forest/oracles/linear_bleu.h"

namespace tunesmith::forest::ngrams_test {

constexpr uint32_t kWords = 4;

TextColumn column(const std::vector<std::string>& texts) {
  TextColumn result;
  for (const std::string& text : texts) result.add(text);
  return result;
}

/// Up to 3 tails per edge, gaps and words in any order.
Forest random_forest(SplitMix& random, uint32_t nodes) {
  ForestArrays arrays;
  auto names = std::make_shared<ForestNames>();
  names->words = column({"a", "b", "c", "d"});
  for (uint32_t node = 0; node < nodes; ++node) {
    for (uint32_t edges = 1 + random.below(3); edges > 0; --edges) {
      std::vector<grammar::Symbol> target;
      std::vector<uint32_t> tails;
      for (uint32_t i = node == 0 ? 0 : random.below(4); i > 0; --i) {
        target.push_back(grammar::gap_symbol(tails.size()));
        tails.push_back(random.below(node));
      }
      for (uint32_t i = random.below(3); i > 0; --i)
        target.push_back(static_cast<grammar::Symbol>(random.below(kWords)));
      for (size_t i = target.size(); i > 1; --i)
        std::swap(target[i - 1], target[random.below(static_cast<uint32_t>(i))]);
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
  return Forest(std::move(arrays), std::move(names));
}

std::vector<double> zeros(const Forest& forest) { return std::vector<double>(forest.edge_count()); }

double derivation_count(const Forest& forest) {
  return forest.empty() ? 0 : inside<CountSemiring>(forest, [](uint32_t) { return 1.0; }).back();
}

/// Reads the yield of a derivation off its edges in preorder; `at` moves past them.
std::vector<grammar::Symbol> read_yield(const Forest& forest, const std::vector<uint32_t>& edges,
                                        size_t& at) {
  const uint32_t edge = edges.at(at++);
  std::vector<std::vector<grammar::Symbol>> parts;
  for (size_t i = 0; i < forest.tails(edge).size(); ++i) parts.push_back(read_yield(forest, edges, at));
  std::vector<grammar::Symbol> result;
  for (const grammar::Symbol symbol : forest.target(edge)) {
    if (!grammar::is_gap(symbol)) {
      result.push_back(symbol);
    } else {
      const auto& part = parts[grammar::gap_index(symbol)];
      result.insert(result.end(), part.begin(), part.end());
    }
  }
  return result;
}

std::vector<grammar::Symbol> read_yield(const Forest& forest, const std::vector<uint32_t>& edges) {
  size_t at = 0;
  auto result = read_yield(forest, edges, at);
  CHECK(at == edges.size());
  return result;
}

TEST(splitting_keeps_the_number_of_derivations_and_makes_contexts_local) {
  SplitMix random(1, 0);
  for (int trial = 0; trial < 100; ++trial) {
    const Forest forest = random_forest(random, 4);
    for (const size_t n : {1, 2, 4}) {
      const ForestRefinement refined = expand_context(forest, n, {100'000, 300'000});
      CHECK(derivation_count(refined.forest) == derivation_count(forest));
      CHECK(local_contexts(refined.forest, n).has_value());
      const NgramIncidence incidence = ngram_incidence(refined.forest, n);
      CHECK(incidence.offsets.size() == refined.forest.edge_count() + 1);
    }
  }
}

TEST(oracles_report_the_statistics_of_their_derivations) {
  SplitMix random(2, 0);
  const TextColumn references = column({"a b a c", "d a"});
  const metrics::BleuScorer scorer(4, metrics::BleuSmoothing::add, 1.0);
  for (int trial = 0; trial < 200; ++trial) {
    const Forest forest = random_forest(random, 1 + random.below(5));
    double exact = 0;
    for (const size_t beam : {100'000, 3, 1}) {
      oracles::BleuOracleOptions options;
      options.background.assign(9, 0.0);
      options.beam = beam;
      const oracles::BleuOracle oracle =
          oracles::bleu_oracle(forest, references.view(), scorer, zeros(forest), options);
      CHECK(oracle.stats[1] == static_cast<double>(read_yield(forest, oracle.derivation.edges).size()));
      CHECK(oracle.value == static_cast<const metrics::Scorer&>(scorer).gain(oracle.stats.data()));
      if (beam > 3) exact = oracle.value;
      CHECK(oracle.value <= exact);
    }
  }
}

TEST(the_yield_of_an_oracle_is_found_again_by_intersection) {
  SplitMix random(3, 0);
  const TextColumn references = column({"a b a c"});
  const std::vector<double> thetas{-0.1, 0.3, 0.4, 0.5};
  for (int trial = 0; trial < 200; ++trial) {
    const Forest forest = random_forest(random, 1 + random.below(5));
    const Derivation oracle =
        oracles::linear_bleu_oracle(forest, references.view(), thetas, zeros(forest), {});
    std::vector<std::string_view> target;
    for (const grammar::Symbol word : read_yield(forest, oracle.edges))
      target.push_back(forest.names().words[static_cast<size_t>(word)]);
    if (target.size() > 40) continue;
    const double found = derivation_count(intersect_target(forest, target, false, {}).forest);
    CHECK(found >= 1);
    CHECK(derivation_count(intersect_target(forest, target, true, {}).forest) >= found);
    target.push_back("e");
    CHECK(intersect_target(forest, target, false, {}).forest.empty());
  }
}

TEST(impossible_questions_are_refused) {
  SplitMix random(4, 0);
  const Forest forest = random_forest(random, 2);
  const TextColumn references = column({"a"});
  const metrics::BleuScorer scorer(4, metrics::BleuSmoothing::add, 1.0);
  CHECK_THROWS(expand_context(forest, 0, {}), InputError);
  CHECK_THROWS(expand_context(forest, 17, {}), InputError);
  CHECK_THROWS(oracles::bleu_oracle(forest, references.view(), scorer, zeros(forest), {}), InputError);
  CHECK_THROWS(oracles::linear_bleu_oracle(forest, references.view(), std::vector<double>{1.0}, {}, {}),
               InputError);
}

}  // namespace tunesmith::forest::ngrams_test
