// The recursions that every forest algorithm is made of, over any semiring.
#pragma once

#include <span>
#include <vector>

#include "tunesmith/forest.h"
#include "tunesmith/semiring.h"

namespace tunesmith {

/// beta(v) = plus over in-edges e of v: value(e) times the beta of its tails in order. `value(edge)` gives an
/// edge's own value. O(edges + tails) operations of the semiring.
template <class Semiring, class EdgeValue>
std::vector<typename Semiring::Value> inside(const Forest& forest, EdgeValue value) {
  std::vector<typename Semiring::Value> beta;
  beta.reserve(forest.node_count());
  for (uint32_t node = 0; node < forest.node_count(); ++node) {
    auto sum = Semiring::zero();
    for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
      auto product = value(edge);
      for (const uint32_t tail : forest.tails(edge)) product = Semiring::times(product, beta[tail]);
      sum = Semiring::plus(sum, product);
    }
    beta.push_back(std::move(sum));
  }
  return beta;
}

/// alpha(root) = one; alpha(t) = plus over edges e and positions i with tail t: alpha(head) times value(e)
/// times the beta of the tails at other positions. Siblings are left out by position: a tail that comes twice
/// in an edge is its own sibling. For commutative semirings. O(edges + sum of squared tails).
template <class Semiring, class EdgeValue>
std::vector<typename Semiring::Value> outside(const Forest& forest, EdgeValue value,
                                              std::span<const typename Semiring::Value> beta) {
  std::vector<typename Semiring::Value> alpha(forest.node_count(), Semiring::zero());
  if (forest.empty()) return alpha;
  alpha[forest.root()] = Semiring::one();
  for (uint32_t node = forest.root() + 1; node-- > 0;)
    for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
      const auto tails = forest.tails(edge);
      if (tails.empty()) continue;
      const auto above = Semiring::times(alpha[node], value(edge));
      for (size_t i = 0; i < tails.size(); ++i) {
        auto product = above;
        for (size_t j = 0; j < tails.size(); ++j)
          if (j != i) product = Semiring::times(product, beta[tails[j]]);
        alpha[tails[i]] = Semiring::plus(alpha[tails[i]], product);
      }
    }
  return alpha;
}

}  // namespace tunesmith
