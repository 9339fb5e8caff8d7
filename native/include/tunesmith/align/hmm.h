// The HMM of word alignment (Vogel, Ney and Tillmann 1996), both ways.
#pragma once

#include "tunesmith/align/hmm_pass.h"
#include "tunesmith/align/mixture.h"

namespace tunesmith::align {

struct HmmModel {
  double null = 0.2;
  BothWays<JumpWidths> widths;

  /// Pairs with a side of more than kLongestHmm words teach the HMM nothing, and are aligned by this prior.
  MixturePrior for_long_pairs() const { return {null, {4, 4}, TensionGradient::kFastAlign}; }
};

inline bool fits_hmm(std::span<const int32_t> source, std::span<const int32_t> target) {
  return source.size() <= kLongestHmm && target.size() <= kLongestHmm;
}

/// The E step of both directions; adds to the counts and returns the log likelihoods. `jumps` are counted in
/// the fixed point of `counts`. With `agree`, links count as the product of the two posteriors.
BothWays<double> expect_hmm(PairCells& cells, const LexicalTable& table, const HmmModel& model, bool agree,
                            LexicalCounts& counts, BothWays<JumpCounts>& jumps, int threads);

/// The best path of each direction.
BothWays<PairLinks> decode_hmm(PairCells& cells, const LexicalTable& table, const HmmModel& model,
                               int threads);

/// As mixture_posteriors.
std::vector<float> hmm_posteriors(PairCells& cells, const LexicalTable& table, const HmmModel& model,
                                  bool reverse, int threads);

}  // namespace tunesmith::align
