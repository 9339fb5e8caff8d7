#include "tunesmith/linear_bleu.h"

#include <algorithm>

#include "tunesmith/errors.h"
#include "tunesmith/forest_context.h"
#include "tunesmith/reference_ngrams.h"
#include "tunesmith/semiring.h"

namespace tunesmith {

namespace {

/// theta_0 * own words + the thetas of the matches that are new at each edge.
std::vector<double> match_rewards(const Forest& forest, const ReferenceNgrams& references,
                                  const NodeContexts& contexts, const ContextView& view,
                                  std::span<const double> thetas) {
  std::vector<double> rewards(forest.edge_count());
  YieldSequence yield;
  for (uint32_t edge = 0; edge < forest.edge_count(); ++edge) {
    const auto tails = forest.tails(edge);
    const auto target = forest.target(edge);
    rewards[edge] = thetas[0] * static_cast<double>(target.size() - tails.size());
    yield.read(target, view.word, [&](size_t i) { return contexts[tails[i]]; });
    references.matches(yield, [&](uint32_t ngram) { rewards[edge] += thetas[references[ngram].size()]; });
  }
  return rewards;
}

LinearOracle best_derivation(const ForestRefinement& refined, std::span<const double> rewards) {
  const Forest& forest = refined.forest;
  std::vector<double> best(forest.node_count(), kLogZero);
  std::vector<uint32_t> choice(forest.node_count());
  for (uint32_t node = 0; node < forest.node_count(); ++node) {
    choice[node] = forest.first_edge(node);
    for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
      double score = rewards[edge];
      for (const uint32_t tail : forest.tails(edge)) score += best[tail];
      if (score > best[node]) best[node] = score, choice[node] = edge;
    }
  }
  LinearOracle oracle{{}, best[forest.root()]};
  std::vector<uint32_t> open{forest.root()};
  while (!open.empty()) {
    const uint32_t edge = choice[open.back()];
    open.pop_back();
    oracle.edges.push_back(refined.edges[edge]);
    const auto tails = forest.tails(edge);
    open.insert(open.end(), tails.rbegin(), tails.rend());
  }
  return oracle;
}

}  // namespace

LinearOracle linear_bleu_oracle(const Forest& forest, const Texts& texts, std::span<const double> thetas,
                                std::span<const double> scores, const RefinementLimits& limits) {
  if (thetas.size() < 2) throw InputError("linear BLEU needs a factor of the length and one of each order");
  if (forest.empty()) throw InputError("the forest is empty: no derivation was found");
  const size_t order = thetas.size() - 1;
  const ReferenceNgrams references(forest, texts, order);
  const ContextView view{[&](Symbol word) { return references.word(word); },
                         [&](std::vector<int32_t>& context) { references.cut(context); }};
  const ForestRefinement refined = expand_context(forest, order, limits, view);
  const auto contexts = local_contexts(refined.forest, order, view);
  std::vector<double> rewards = match_rewards(refined.forest, references, contexts.value(), view, thetas);
  if (!scores.empty())
    for (size_t edge = 0; edge < rewards.size(); ++edge) rewards[edge] += scores[refined.edges[edge]];
  return best_derivation(refined, rewards);
}

}  // namespace tunesmith
