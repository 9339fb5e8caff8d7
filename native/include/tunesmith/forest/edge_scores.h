// Checked edge scores, and inside scores over them.
#pragma once

#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"
#include "tunesmith/forest/inside_outside.h"

namespace tunesmith::forest {

/// Scores by edge; minus infinity forbids an edge. Throws InputError for NaN, plus infinity, or a wrong
/// number of scores. A view: the memory belongs to the caller.
class EdgeScores {
 public:
  EdgeScores(const Forest& forest, std::span<const double> scores);
  double operator()(uint32_t edge) const { return scores_[edge]; }

 private:
  std::span<const double> scores_;
};

/// score(e) + sum of beta over its tails, added in the order of `inside`: the best edge of a node has exactly
/// the node's best score.
template <Hypergraph Graph, class Score>
double score_below(const Graph& forest, const Score& scores, std::span<const double> beta, uint32_t edge) {
  double sum = scores(edge);
  for (const uint32_t tail : forest.tails(edge)) sum += beta[tail];
  return sum;
}

/// Throws InputError if a sum of finite scores is not finite.
void check_sums(std::span<const double> beta);

/// beta of every node in LogSemiring or ViterbiSemiring.
template <class Semiring>
std::vector<double> inside_scores(const Forest& forest, const EdgeScores& scores) {
  auto beta = inside<Semiring>(forest, scores);
  check_sums(beta);
  return beta;
}

/// Throws InputError if the forest is empty or all of its derivations use a forbidden edge.
void check_derivable(const Forest& forest, std::span<const double> beta);

}  // namespace tunesmith::forest
