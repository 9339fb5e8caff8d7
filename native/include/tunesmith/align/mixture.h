// IBM model 1 and the diagonal IBM model 2 (fast_align), which align each word independently.
#pragma once

#include <vector>

#include "tunesmith/align/diagonal.h"
#include "tunesmith/align/lexical_table.h"
#include "tunesmith/align/pair_cells.h"
#include "tunesmith/align/posterior_matrices.h"
#include "tunesmith/corpus/alignment.h"

namespace tunesmith::align {

/// p(word j is aligned to i) = (1 - null) * exp(-tension * |i/n - j/m|) / Z_j; p(unaligned) = null. A
/// negative `null` stands for 1 / (n + 1), as in model 1, whose tension is 0.
struct MixturePrior {
  double null = 0.08;
  BothWays<double> tension{4, 4};
  TensionGradient gradient = TensionGradient::kFastAlign;

  double null_share(size_t n) const { return null >= 0 ? null : 1.0 / static_cast<double>(n + 1); }
};

/// The weights of a prior, computed once for many sentence pairs.
struct MixtureFactors {
  explicit MixtureFactors(const MixturePrior& prior)
      : forward(prior.tension.forward), reverse(prior.tension.reverse) {}
  DiagonalFactors forward, reverse;
};

/// Results of an E step besides the counts, per direction: the log likelihood, and the observed feature of
/// the tension's gradient.
struct MixtureSummary {
  BothWays<double> likelihood, feature;
};

/// The E step in both directions: adds the posteriors of all links to the counts. With `agree`, counts are
/// the products of the two directions' posteriors (Liang, Taskar and Klein 2006). O(cells).
MixtureSummary expect_mixture(PairCells& cells, const LexicalTable& table, const MixturePrior& prior,
                              bool agree, LexicalCounts& counts, int threads);

/// The links of one direction, per sentence pair.
using PairLinks = std::vector<std::vector<corpus::Link>>;

/// Viterbi alignment in both directions: the best partner of each word, or none. Pairs with too many cells
/// are looked up row by row, in O(n + m) memory.
BothWays<PairLinks> decode_mixture(PairCells& cells, const LexicalTable& table, const MixturePrior& prior,
                                   int threads);

/// The same for one sentence pair of any length.
BothWays<std::vector<corpus::Link>> decode_pair(const LexicalTable& table, std::span<const int32_t> source,
                                                std::span<const int32_t> target, const MixturePrior& prior);

/// The posteriors of one sentence pair with given cells, source-major.
void fill_posteriors(const LexicalTable& table, std::span<const int32_t> source,
                     std::span<const int32_t> target, std::span<const uint32_t> cells,
                     const MixturePrior& prior, bool reverse, float* out);

/// Posteriors p(i-j | pair) of one direction: the concatenated matrices of all pairs, source-major. A pair
/// with too many cells is an InputError.
std::vector<float> mixture_posteriors(PairCells& cells, const LexicalTable& table, const MixturePrior& prior,
                                      bool reverse, int threads);

}  // namespace tunesmith::align
