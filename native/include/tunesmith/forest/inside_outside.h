// The recursions that every forest algorithm is made of, over any semiring. Inside and outside over any
// commutative semiring (Goodman 1999); a derivation's siblings are left out by position.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "tunesmith/forest/forest.h"
#include "tunesmith/forest/semiring.h"

namespace tunesmith::forest {

/// beta(v) = plus over in-edges e of v: value(e) times the beta of its tails in order. `value(edge)` gives an
/// edge's own value. O(edges + tails) operations of the semiring. Values may be big: they are moved into plus
/// and times wherever they are not needed after it.
template <class Semiring, class EdgeValue>
std::vector<typename Semiring::Value> inside(const Forest& forest, EdgeValue value) {
  std::vector<typename Semiring::Value> beta;
  beta.reserve(forest.node_count());
  for (uint32_t node = 0; node < forest.node_count(); ++node) {
    typename Semiring::Value sum = Semiring::zero();
    for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
      typename Semiring::Value product = value(edge);
      for (const uint32_t tail : forest.tails(edge))
        product = Semiring::times(std::move(product), beta[tail]);
      sum = Semiring::plus(std::move(sum), std::move(product));
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
      const typename Semiring::Value above = Semiring::times(alpha[node], value(edge));
      for (size_t i = 0; i < tails.size(); ++i) {
        typename Semiring::Value product = above;
        for (size_t j = 0; j < tails.size(); ++j)
          if (j != i) product = Semiring::times(std::move(product), beta[tails[j]]);
        alpha[tails[i]] = Semiring::plus(std::move(alpha[tails[i]]), std::move(product));
      }
    }
  return alpha;
}

/// The value of all derivations that use an edge: alpha of its head, times its own, times beta of its tails.
template <class Semiring, class EdgeValue>
typename Semiring::Value through(const Forest& forest, uint32_t node, uint32_t edge, EdgeValue value,
                                 std::span<const typename Semiring::Value> alpha,
                                 std::span<const typename Semiring::Value> beta) {
  typename Semiring::Value product = Semiring::times(alpha[node], value(edge));
  for (const uint32_t tail : forest.tails(edge)) product = Semiring::times(std::move(product), beta[tail]);
  return product;
}

/// Calls body(node, edge) for every edge in order.
template <class Body>
void for_each_edge(const Forest& forest, Body body) {
  for (uint32_t node = 0; node < forest.node_count(); ++node)
    for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) body(node, edge);
}

}  // namespace tunesmith::forest
