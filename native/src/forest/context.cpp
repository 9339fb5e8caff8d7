#include "tunesmith/forest/context.h"

#include <string>

#include "tunesmith/base/errors.h"

namespace tunesmith::forest {

void check_ngram_order(size_t n) {
  if (n < 1 || n > 16) throw InputError("n-grams have 1 to 16 words, not " + std::to_string(n));
}

std::optional<NodeContexts> local_contexts(const Forest& forest, size_t n, const ContextView& view) {
  check_ngram_order(n);
  NodeContexts result{{}, std::vector<uint32_t>(forest.node_count(), 0), context_needs(forest)};
  YieldSequence yield;
  std::vector<int32_t> context;
  for (uint32_t node = 0; node < forest.node_count(); ++node) {
    if (!result.needs.used[node]) continue;
    for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
      const auto tails = forest.tails(edge);
      yield.read(forest.target(edge), view.words, [&](size_t i) { return result[tails[i]]; });
      yield.shorten(n - 1, result.needs.left[node], result.needs.right[node], context);
      view.cut(context);
      const uint32_t number = result.contexts.intern(context);
      if (edge > forest.first_edge(node) && number != result.of_node[node]) return std::nullopt;
      result.of_node[node] = number;
    }
  }
  return result;
}

ForestRefinement expand_context(const Forest& forest, size_t n, const RefinementLimits& limits,
                                const ContextView& view) {
  check_ngram_order(n);
  ForestRefiner refiner(forest, limits);
  if (forest.empty()) return refiner.none();
  const ContextNeeds needs = context_needs(forest);
  SequencePool<int32_t> contexts;
  YieldSequence yield;
  std::vector<int32_t> context;
  std::vector<uint32_t> chosen;
  for (uint32_t node = 0; node < forest.node_count(); ++node) {
    if (needs.used[node])
      for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
        const auto tails = forest.tails(edge);
        chosen.clear();
        for (const uint32_t tail : tails) chosen.push_back(refiner.first(tail));
        for (bool more = true; more;) {
          yield.read(forest.target(edge), view.words,
                     [&](size_t i) { return contexts[refiner.state(chosen[i])]; });
          yield.shorten(n - 1, needs.left[node], needs.right[node], context);
          view.cut(context);
          refiner.add(edge, contexts.intern(context), chosen);
          // Next combination of the tails' split nodes; the last tail changes fastest.
          more = false;
          for (size_t i = tails.size(); i-- > 0 && !more;) {
            more = ++chosen[i] < refiner.first(tails[i] + 1);
            if (!more) chosen[i] = refiner.first(tails[i]);
          }
        }
      }
    refiner.close();
  }
  return refiner.below(refiner.first(forest.root()));
}

}  // namespace tunesmith::forest
