#include "tunesmith/forest/prune.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tunesmith/base/errors.h"
#include "tunesmith/forest/edge_scores.h"
#include "tunesmith/forest/posteriors.h"
#include "tunesmith/forest/trim.h"
#include "tunesmith/forest/viterbi.h"

namespace tunesmith::forest {

namespace {

constexpr double kSlack = 1e-9;  // tolerance for sums of the same scores in a different order

/// Edges by the score of their best derivation, best first; those of the Viterbi derivation precede all
/// others in spite of rounding.
std::vector<uint32_t> by_best_score(const std::vector<double>& best, const std::vector<uint8_t>& in_viterbi) {
  std::vector<uint32_t> order(best.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
    if (in_viterbi[a] != in_viterbi[b]) return in_viterbi[a] > in_viterbi[b];
    return best[a] != best[b] ? best[a] > best[b] : a < b;
  });
  return order;
}

}  // namespace

std::vector<uint8_t> pruned_edges(const Forest& forest, std::span<const double> scores,
                                  const PruneLimits& limits) {
  if (!(limits.beam >= 0)) throw InputError("the beam must be at least 0");
  const auto [score, in_viterbi] = viterbi_edges(forest, scores);
  const auto best = max_marginals(forest, scores);
  const auto slack = [](double log) { return kSlack * std::max(1.0, std::abs(log)); };
  const double worst = score - limits.beam - slack(score);
  std::vector<uint8_t> keep(forest.edge_count());
  for (size_t edge = 0; edge < keep.size(); ++edge)
    keep[edge] = static_cast<uint8_t>(best[edge] >= worst && best[edge] > kLogZero);
  if (limits.posterior > 0) {
    const auto found = posteriors(forest, scores);
    const double least = limits.posterior * std::exp(-slack(found.log_partition));
    for (size_t edge = 0; edge < keep.size(); ++edge)
      if (!(found.edges[edge] >= least)) keep[edge] = 0;
  }
  if (limits.edges < keep.size()) {
    const auto order = by_best_score(best, in_viterbi);
    for (size_t i = limits.edges; i < order.size(); ++i) keep[order[i]] = 0;
  }
  for (size_t edge = 0; edge < keep.size(); ++edge) keep[edge] |= in_viterbi[edge];
  return useful_edges(forest, keep);
}

}  // namespace tunesmith::forest
