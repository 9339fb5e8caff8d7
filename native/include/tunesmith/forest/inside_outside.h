// Inside and outside recursions over any hypergraph and any commutative semiring (Goodman 1999).
//
// Algorithms with a loop of their own, because it is not plus and times of one semiring value per edge:
// - `ForestEnvelope` (hull.cpp): inside with envelopes as values, in flat arrays, so that no edge allocates;
// - `LazyKbest`, `bleu_oracle`, `expand_context`: sets of partial derivations, made on demand or within a
// beam;
// - `NgramForests` (objectives/forests): inside, outside and means by p(e | head) with one exp per edge,
// where
//   LogSemiring takes an exp and a log1p per plus; its sums are rounded differently;
// - `ngram_presence`, `sample_derivations`: `inside` as below, then a recursion over p(e | head).
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "tunesmith/forest/hypergraph.h"
#include "tunesmith/forest/semiring.h"

namespace tunesmith::forest {

/// beta(v) = plus over in-edges e of v: value(e) times the beta of its tails in order, where `value(edge)` is
/// the edge's own value. O(edges + tails) operations of the semiring, which need not commute. Values may be
/// large: they are moved into plus and times where they are not needed afterwards.
template <class Semiring, Hypergraph Graph, class EdgeValue>
std::vector<typename Semiring::Value> inside(const Graph& forest, EdgeValue value) {
  std::vector<typename Semiring::Value> beta(forest.node_count());  // no push_back: `sum` stays in a register
  for (uint32_t node = 0; node < beta.size(); ++node) {
    typename Semiring::Value sum = Semiring::zero();
    for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
      typename Semiring::Value product = value(edge);
      for (const uint32_t tail : forest.tails(edge))
        product = Semiring::times(std::move(product), beta[tail]);
      sum = Semiring::plus(std::move(sum), std::move(product));
    }
    beta[node] = std::move(sum);
  }
  return beta;
}

/// alpha(root) = one; alpha(t) = plus over edges e and positions i with tail t: alpha(head) times value(e)
/// times the beta of the tails at other positions. Siblings are excluded by position: a tail that occurs
/// twice in an edge is its own sibling. For commutative semirings. O(edges + sum of squared tails).
template <class Semiring, Hypergraph Graph, class EdgeValue>
std::vector<typename Semiring::Value> outside(const Graph& forest, EdgeValue value,
                                              std::span<const typename Semiring::Value> beta) {
  std::vector<typename Semiring::Value> alpha(forest.node_count(), Semiring::zero());
  if (alpha.empty()) return alpha;
  alpha.back() = Semiring::one();
  for (auto node = static_cast<uint32_t>(alpha.size()); node-- > 0;)
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

/// Sum over the derivations that use an edge: alpha(head) times value(edge) times the beta of its tails.
template <class Semiring, Hypergraph Graph, class EdgeValue>
typename Semiring::Value through(const Graph& forest, uint32_t node, uint32_t edge, EdgeValue value,
                                 std::span<const typename Semiring::Value> alpha,
                                 std::span<const typename Semiring::Value> beta) {
  typename Semiring::Value product = Semiring::times(alpha[node], value(edge));
  for (const uint32_t tail : forest.tails(edge)) product = Semiring::times(std::move(product), beta[tail]);
  return product;
}

/// Calls body(node, edge) for every edge in order.
template <Hypergraph Graph, class Body>
void for_each_edge(const Graph& forest, Body body) {
  for (uint32_t node = 0; node < forest.node_count(); ++node)
    for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) body(node, edge);
}

}  // namespace tunesmith::forest
