// HMM word alignment (Vogel, Ney and Tillmann 1996), in both directions.
#pragma once

#include "tunesmith/align/hmm_pass.h"
#include "tunesmith/align/mixture.h"

namespace tunesmith::align {

struct HmmModel {
  double null = 0.2;
  BothWays<JumpWidths> widths;

  /// Pairs with a side of more than kLongestHmm words are left out of training, and aligned by this prior.
  MixturePrior for_long_pairs() const { return {null, {4, 4}, TensionGradient::kFastAlign}; }
};

inline bool fits_hmm(std::span<const int32_t> source, std::span<const int32_t> target) {
  return source.size() <= kLongestHmm && target.size() <= kLongestHmm;
}

/// The E step in both directions: adds to the counts and returns the log likelihoods. `jumps` have the
/// fixed-point unit of `counts`. With `agree`, a link counts as the product of the two directions'
/// posteriors.
BothWays<double> expect_hmm(PairCells& cells, const LexicalTable& table, const HmmModel& model, bool agree,
                            LexicalCounts& counts, BothWays<JumpCounts>& jumps, int threads);

/// The Viterbi alignment of each direction.
BothWays<PairLinks> decode_hmm(PairCells& cells, const LexicalTable& table, const HmmModel& model,
                               int threads);

/// Aligns the pairs that are too long for the HMM.
void decode_long_pairs(const PairCells& cells, const LexicalTable& table, const HmmModel& model,
                       BothWays<PairLinks>& links);

/// Link posteriors of one direction, as in mixture_posteriors.
std::vector<float> hmm_posteriors(PairCells& cells, const LexicalTable& table, const HmmModel& model,
                                  bool reverse, int threads);

}  // namespace tunesmith::align
