#include "tunesmith/forest/posteriors.h"

#include <cmath>

#include "tunesmith/forest/edge_scores.h"

namespace tunesmith::forest {

double log_partition(const Forest& forest, std::span<const double> scores) {
  const auto beta = log_inside(forest, scores);
  return beta.empty() ? kLogZero : beta.back();
}

std::vector<double> log_inside(const Forest& forest, std::span<const double> scores) {
  return inside_scores<LogSemiring>(forest, EdgeScores(forest, scores));
}

std::vector<double> log_outside(const Forest& forest, std::span<const double> scores) {
  const EdgeScores checked(forest, scores);
  const auto beta = inside_scores<LogSemiring>(forest, checked);
  return outside<LogSemiring>(forest, checked, std::span<const double>(beta));
}

ForestPosteriors posteriors(const Forest& forest, std::span<const double> edge_scores) {
  const EdgeScores scores(forest, edge_scores);
  const auto beta = inside_scores<LogSemiring>(forest, scores);
  if (forest.empty()) return {kLogZero, {}, {}};
  check_derivable(forest, beta);
  const auto alpha = outside<LogSemiring>(forest, scores, std::span<const double>(beta));
  ForestPosteriors result{beta.back(), std::vector<double>(forest.edge_count()),
                          std::vector<double>(forest.node_count())};
  for_each_edge(forest, [&](uint32_t node, uint32_t edge) {
    const double sum = through<LogSemiring>(forest, node, edge, scores, std::span<const double>(alpha),
                                            std::span<const double>(beta));
    result.edges[edge] = std::exp(sum - result.log_partition);
    result.nodes[node] += result.edges[edge];
  });
  return result;
}

std::vector<double> max_marginals(const Forest& forest, std::span<const double> edge_scores) {
  const EdgeScores scores(forest, edge_scores);
  const auto beta = inside_scores<ViterbiSemiring>(forest, scores);
  const auto alpha = outside<ViterbiSemiring>(forest, scores, std::span<const double>(beta));
  std::vector<double> best(forest.edge_count());
  for_each_edge(forest, [&](uint32_t node, uint32_t edge) {
    best[edge] = through<ViterbiSemiring>(forest, node, edge, scores, std::span<const double>(alpha),
                                          std::span<const double>(beta));
  });
  return best;
}

double count_derivations(const Forest& forest) {
  const auto beta = inside<CountSemiring>(forest, [](uint32_t) { return 1.0; });
  return beta.empty() ? 0 : beta.back();
}

double log_count_derivations(const Forest& forest) {
  const auto beta = inside<LogSemiring>(forest, [](uint32_t) { return 0.0; });
  return beta.empty() ? kLogZero : beta.back();
}

}  // namespace tunesmith::forest
