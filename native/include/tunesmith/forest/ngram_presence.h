// N-gram posteriors: the probability that a derivation of a forest has an n-gram at least once. Exact for
// lattices in Blackwood et al. (2010); the recursion over forests, on the probability itself, is ours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// The n-grams that are new at each edge: those of edge e are ids[offsets[e], offsets[e + 1]).
struct EdgeNgrams {
  std::span<const int32_t> offsets;
  std::span<const int32_t> ids;
  size_t count = 0;  // n-grams are numbered below this
};

/// P(g) = b_g(root) for each n-gram g, under p(d) = exp(score(d)) / Z.
///
/// 1 - b_g(v) = sum over in-edges e of v: p(e | v) * [g is not new at e] * product of 1 - b_g of the tails
///
/// is the probability that no edge of a derivation of v has g, with p(e | v) = exp(score(e) + sum of log beta
/// of the tails - log beta(v)). This is exact; a sum of edge posteriors is only an upper bound. The recursion
/// is on b itself, as sums of nonnegative terms, so that small probabilities keep their precision. Blocks of
/// n-grams are computed in parallel lanes; nodes before the first edge with one of them cost nothing.
/// O(edges * n-grams). Throws InputError if every derivation is forbidden.
std::vector<double> ngram_presence(const Forest& forest, std::span<const double> scores,
                                   const EdgeNgrams& ngrams, int threads);

}  // namespace tunesmith::forest
