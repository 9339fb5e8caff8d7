#include "tunesmith/forest/oracles/linear_bleu.h"

#include "tunesmith/base/errors.h"
#include "tunesmith/forest/context.h"
#include "tunesmith/forest/reference_ngrams.h"
#include "tunesmith/forest/viterbi.h"

namespace tunesmith::forest::oracles {

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
    rewards[edge] = thetas[0] * static_cast<double>(references.own_words(target));
    yield.read(target, view.words, [&](size_t i) { return contexts[tails[i]]; });
    references.matches(yield, [&](uint32_t ngram) { rewards[edge] += thetas[references[ngram].size()]; });
  }
  return rewards;
}

}  // namespace

Derivation linear_bleu_oracle(const Forest& forest, const Texts& texts, std::span<const double> thetas,
                              std::span<const double> edge_scores, const RefinementLimits& limits) {
  if (thetas.size() < 2) throw InputError("linear BLEU needs a factor of the length and one per order");
  const EdgeScores scores(forest, edge_scores);
  const size_t order = thetas.size() - 1;
  const ReferenceNgrams references(forest, texts, order);
  const ContextView view = references.view();
  const ForestRefinement refined = expand_context(forest, order, limits, view);
  const auto contexts = local_contexts(refined.forest, order, view);
  std::vector<double> rewards = match_rewards(refined.forest, references, contexts.value(), view, thetas);
  for (size_t edge = 0; edge < rewards.size(); ++edge) rewards[edge] += scores(refined.edges[edge]);
  Derivation best = viterbi(refined.forest, rewards);
  for (uint32_t& edge : best.edges) edge = refined.edges[edge];
  return best;
}

}  // namespace tunesmith::forest::oracles
