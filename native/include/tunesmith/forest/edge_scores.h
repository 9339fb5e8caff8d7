// The score of each edge, checked: what the recursions over a forest take.
#pragma once

#include <span>
#include <vector>

#include "tunesmith/forest/inside_outside.h"

namespace tunesmith::forest {

/// Scores by edge. Minus infinity forbids an edge; NaN and plus infinity, or scores that are not as many as
/// edges, are an InputError. The memory is the caller's.
class EdgeScores {
 public:
  EdgeScores(const Forest& forest, std::span<const double> scores);
  double operator()(uint32_t edge) const { return scores_[edge]; }

 private:
  std::span<const double> scores_;
};

/// The score of an edge and what its tails have in `beta`, term by term as `inside` adds them: the best edge
/// of a node has the node's best score to the last bit.
inline double score_below(const Forest& forest, const EdgeScores& scores, std::span<const double> beta,
                          uint32_t edge) {
  double sum = scores(edge);
  for (const uint32_t tail : forest.tails(edge)) sum += beta[tail];
  return sum;
}

/// Throws InputError where finite scores had a sum that is not.
void check_sums(std::span<const double> beta);

/// beta of every node over a semiring of scores, that of logs or that of the best.
template <class Semiring>
std::vector<double> inside_scores(const Forest& forest, const EdgeScores& scores) {
  auto beta = inside<Semiring>(forest, scores);
  check_sums(beta);
  return beta;
}

/// Throws InputError if the forest is empty, or all of its derivations use a forbidden edge.
void check_derivable(const Forest& forest, std::span<const double> beta);

}  // namespace tunesmith::forest
