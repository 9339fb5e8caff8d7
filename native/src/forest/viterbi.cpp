#include "tunesmith/forest/viterbi.h"

#include <limits>

namespace tunesmith::forest {

Derivation viterbi(const Forest& forest, std::span<const double> edge_scores) {
  const EdgeScores scores(forest, edge_scores);
  const auto beta = inside_scores<ViterbiSemiring>(forest, scores);
  check_derivable(forest, beta);
  struct Item {
    uint32_t edge;
  };
  // A node may occur many times in the derivation; its edge is found at the first.
  constexpr uint32_t kNotYet = std::numeric_limits<uint32_t>::max();
  std::vector<uint32_t> best(forest.node_count(), kNotYet);
  const auto at = [&](uint32_t node) {
    if (best[node] == kNotYet) best[node] = best_edge(forest, scores, beta, node);
    return Item{best[node]};
  };
  return {beta[forest.root()], unfold(
                                   forest, at(forest.root()), [](Item item) { return item.edge; },
                                   [&](Item item, size_t i) { return at(forest.tails(item.edge)[i]); })};
}

ViterbiEdges viterbi_edges(const Forest& forest, std::span<const double> edge_scores) {
  const EdgeScores scores(forest, edge_scores);
  const auto beta = inside_scores<ViterbiSemiring>(forest, scores);
  check_derivable(forest, beta);
  ViterbiEdges result{beta[forest.root()], std::vector<uint8_t>(forest.edge_count())};
  std::vector<uint8_t> nodes(forest.node_count());
  nodes[forest.root()] = 1;
  for (uint32_t node = forest.root() + 1; node-- > 0;) {
    if (nodes[node] == 0) continue;
    const uint32_t edge = best_edge(forest, scores, beta, node);
    result.used[edge] = 1;
    for (const uint32_t tail : forest.tails(edge)) nodes[tail] = 1;
  }
  return result;
}

}  // namespace tunesmith::forest
