// IBM model 4 (Brown et al. 1993) in both directions, started by the HMM.
#pragma once

#include "tunesmith/align/hmm.h"
#include "tunesmith/align/ibm4_search.h"

namespace tunesmith::align {

/// The model of one direction.
struct Ibm4Side {
  Ibm4Classes classes;
  Ibm4Layout layout;
  Ibm4Tables tables;

  explicit Ibm4Side(Ibm4Classes given)
      : classes(std::move(given)),
        layout(classes.making.size(), classes.making_classes, classes.made_classes),
        tables(estimate_ibm4(layout, Ibm4Counts(layout), 1)) {}
};

/// The HMM whose Viterbi alignments climbing starts from, and the two directions. Pairs that the HMM does not
/// take are treated as it does.
struct Ibm4Model {
  HmmModel hmm;
  double null;
  BothWays<Ibm4Side> sides;
};

/// Estimates fertilities and distortions from the Viterbi alignments of the HMM.
void start_ibm4(PairCells& cells, const LexicalTable& table, Ibm4Model& model, int threads);

/// The E step: climbs from the HMM's Viterbi alignment and counts over the neighborhood of the alignment
/// found; then the M step of fertilities and distortions. Returns the log likelihoods, summed over the
/// neighborhoods. `agree`: as expect_hmm.
BothWays<double> expect_ibm4(PairCells& cells, const LexicalTable& table, Ibm4Model& model, bool agree,
                             LexicalCounts& counts, int threads);

/// The alignments found by climbing.
BothWays<PairLinks> decode_ibm4(PairCells& cells, const LexicalTable& table, const Ibm4Model& model,
                                int threads);

/// Link posteriors of one direction over the neighborhoods, as in mixture_posteriors.
std::vector<float> ibm4_posteriors(PairCells& cells, const LexicalTable& table, const Ibm4Model& model,
                                   bool reverse, int threads);

}  // namespace tunesmith::align
