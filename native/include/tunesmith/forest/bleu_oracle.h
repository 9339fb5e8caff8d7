// The derivation of the best, or worst, BLEU in a forest, alone or together with the model's score. Dynamic
// programming over boundary words and matches, after Li and Khudanpur (2009); exact clipping and the dropping
// of dominated items are ours.
#pragma once

#include <span>
#include <vector>

#include "tunesmith/forest/derivation.h"
#include "tunesmith/metrics/bleu.h"
#include "tunesmith/metrics/scorer.h"

namespace tunesmith::forest {

struct BleuOracleOptions {
  metrics::ReferenceLength reference_length = metrics::ReferenceLength::closest;
  std::vector<double> background;  // added to the statistics of the sentence; 2 * order + 1 of them
  bool scaled = false;             // gains times the size of background and sentence
  bool monotone = true;            // more matches never lower a gain: items may be dropped for better ones
  double model_weight = 0;
  double metric_weight = 1;
  size_t beam = 0;                // items kept a node; 0 keeps all
  size_t max_work = 200'000'000;  // numbers of items, made or compared, where the beam has no limit
};

/// A derivation, its score the sum of those of its edges, and what it is worth.
struct BleuOracle {
  Derivation derivation;
  double value;               // model_weight * score + metric_weight * gain
  double gain;                // of background and statistics, scaled if asked
  std::vector<double> stats;  // of the sentence alone
};

/// argmax over derivations of model_weight * score + metric_weight * gain(background + statistics).
///
/// Dynamic programming from tails to heads. An item is a context (of what can still become a match) and the
/// statistics of OracleStatistics; of items that are equal in both, the one with the better model score is
/// kept. An item is dropped if another one of the same context and length is at least as good in model score
/// and in matches, whatever follows; for each only the first few others are asked, so that time stays linear
/// in items. Without a beam that is exact; it takes time and memory by the number of different items, which
/// grows with the lengths, matches and counts that clipping may cut. With a beam of b
/// a node keeps the b best items by the same objective of the partial yield, against the reference length
/// times the node's share of the lengths of derivations; without a background they are ranked by add-one
/// BLEU. Items of tails with ranks r_1, r_2, ... are combined where r_1 * r_2 * ... <= b: at most b (1 + log
/// b) ways for two tails. Edges of minus infinity are forbidden. Throws InputError if there is no derivation.
BleuOracle bleu_oracle(const Forest& forest, const Texts& references, const metrics::Scorer& scorer,
                       std::span<const double> scores, const BleuOracleOptions& options);

}  // namespace tunesmith::forest
