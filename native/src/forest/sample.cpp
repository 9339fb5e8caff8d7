#include "tunesmith/forest/sample.h"

#include <algorithm>
#include <cmath>

#include "tunesmith/base/parallel.h"
#include "tunesmith/base/splitmix.h"
#include "tunesmith/forest/edge_scores.h"

namespace tunesmith::forest {

namespace {

constexpr size_t kDrawsPerChunk = 64;

/// Cumulative p(e | head) over the in-edges of each node; the last is about 1.
std::vector<double> cumulative_shares(const Forest& forest, const EdgeScores& scores,
                                      std::span<const double> beta) {
  std::vector<double> shares(forest.edge_count());
  for (uint32_t node = 0; node < forest.node_count(); ++node) {
    double sum = 0;
    for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
      const double below = score_below(forest, scores, beta, edge);
      if (below > kLogZero) sum += std::exp(below - beta[node]);
      shares[edge] = sum;
    }
  }
  return shares;
}

}  // namespace

std::vector<Derivation> sample_derivations(const Forest& forest, std::span<const double> edge_scores,
                                           size_t count, uint64_t seed, int threads) {
  const EdgeScores scores(forest, edge_scores);
  const auto beta = inside_scores<LogSemiring>(forest, scores);
  check_derivable(forest, beta);
  const auto shares = cumulative_shares(forest, scores, beta);
  // An edge of probability 0 is never drawn: the first sum to reach a number above 0 was raised by its edge.
  const auto draw_edge = [&](uint32_t node, SplitMix& random) {
    const auto first = shares.begin() + forest.first_edge(node);
    const auto last = shares.begin() + forest.last_edge(node);
    const double drawn = random.uniform() * *(last - 1);
    return static_cast<uint32_t>(std::lower_bound(first, last, drawn) - shares.begin());
  };
  std::vector<Derivation> drawn(count);
  parallel_chunks(count, kDrawsPerChunk, threads, [&](size_t, size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      SplitMix random(seed, i);
      Derivation& derivation = drawn[i];
      uint32_t edge = 0;  // drawn last; its tails are requested next
      derivation.edges = unfold(
          forest, forest.root(), [&](uint32_t node) { return edge = draw_edge(node, random); },
          [&](uint32_t, size_t tail) { return forest.tails(edge)[tail]; });
      for (const uint32_t used : derivation.edges) derivation.score += scores(used);
    }
  });
  return drawn;
}

}  // namespace tunesmith::forest
