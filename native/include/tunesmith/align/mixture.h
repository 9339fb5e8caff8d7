// IBM model 1 and the diagonal IBM model 2: every word chooses its partner for itself.
#pragma once

#include <vector>

#include "tunesmith/align/diagonal.h"
#include "tunesmith/align/lexical_table.h"
#include "tunesmith/align/pair_cells.h"
#include "tunesmith/align/posterior_matrices.h"
#include "tunesmith/corpus/alignment.h"

namespace tunesmith::align {

/// p(j's partner is i) = (1 - null) * exp(-tension * |i/n - j/m|) / Z_j, and null for no partner. Without a
/// given `null` (below 0) it is 1 / (n + 1), as in model 1; its tension is 0.
struct MixturePrior {
  double null = 0.08;
  BothWays<double> tension{4, 4};
  TensionGradient gradient = TensionGradient::kFastAlign;

  double null_share(size_t n) const { return null >= 0 ? null : 1.0 / static_cast<double>(n + 1); }
};

/// The weights of a prior, made once for many pairs.
struct MixtureFactors {
  explicit MixtureFactors(const MixturePrior& prior)
      : forward(prior.tension.forward), reverse(prior.tension.reverse) {}
  DiagonalFactors forward, reverse;
};

/// What an E step tells besides the counts, for each direction: the log likelihood, and the observed feature
/// of the tension's gradient.
struct MixtureSummary {
  BothWays<double> likelihood, feature;
};

/// The E step of both directions: adds the posteriors of all links to the counts. With `agree`, counts are
/// the products of the two directions' posteriors (Liang, Taskar and Klein 2006). O(cells).
MixtureSummary expect_mixture(PairCells& cells, const LexicalTable& table, const MixturePrior& prior,
                              bool agree, LexicalCounts& counts, int threads);

/// The links of a direction, pair by pair.
using PairLinks = std::vector<std::vector<corpus::Link>>;

/// The best partner of each word, or none, in both directions. Pairs of too many cells are looked up row by
/// row: O(n + m) memory.
BothWays<PairLinks> decode_mixture(PairCells& cells, const LexicalTable& table, const MixturePrior& prior,
                                   int threads);

/// The same for one pair of any length.
BothWays<std::vector<corpus::Link>> decode_pair(const LexicalTable& table, std::span<const int32_t> source,
                                                std::span<const int32_t> target, const MixturePrior& prior);

/// The posteriors of one pair, whose cells are given, source-major.
void fill_posteriors(const LexicalTable& table, std::span<const int32_t> source,
                     std::span<const int32_t> target, std::span<const uint32_t> cells,
                     const MixturePrior& prior, bool reverse, float* out);

/// Posteriors p(i-j | pair) of one direction, the pairs' matrices one after the other, source-major. Pairs of
/// too many cells are an InputError.
std::vector<float> mixture_posteriors(PairCells& cells, const LexicalTable& table, const MixturePrior& prior,
                                      bool reverse, int threads);

}  // namespace tunesmith::align
