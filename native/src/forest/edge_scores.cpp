#include "tunesmith/forest/edge_scores.h"

#include <cmath>
#include <string>

#include "tunesmith/base/errors.h"

namespace tunesmith::forest {

EdgeScores::EdgeScores(const Forest& forest, std::span<const double> scores) : scores_(scores) {
  if (scores.size() != forest.edge_count())
    throw InputError(std::to_string(scores.size()) + " scores for " + std::to_string(forest.edge_count()) +
                     " edges of a forest");
  for (size_t edge = 0; edge < scores.size(); ++edge)
    if (!(scores[edge] < std::numeric_limits<double>::infinity()))
      throw InputError("the score of edge " + std::to_string(edge) + " is " + std::to_string(scores[edge]) +
                       "; expected a number, or minus infinity to forbid the edge");
}

void check_sums(std::span<const double> beta) {
  for (size_t node = 0; node < beta.size(); ++node)
    if (!(beta[node] < std::numeric_limits<double>::infinity()))
      throw InputError("the scores below node " + std::to_string(node) +
                       " have no finite sum: make weights or features smaller");
}

void check_derivable(const Forest& forest, std::span<const double> beta) {
  if (forest.empty()) throw InputError("the forest is empty: no derivation was found");
  if (beta[forest.root()] == kLogZero)
    throw InputError("the scores forbid every derivation of the forest: each uses an edge of minus infinity");
}

}  // namespace tunesmith::forest
