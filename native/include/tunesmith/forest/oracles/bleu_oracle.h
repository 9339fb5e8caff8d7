// Oracle derivation of a forest: the best or worst BLEU, alone or combined with the model score. Dynamic
// programming over boundary words and matches, after Li and Khudanpur (2009); exact clipping and the pruning
// of dominated items are ours.
#pragma once

#include <span>
#include <vector>

#include "tunesmith/forest/derivation.h"
#include "tunesmith/metrics/bleu.h"
#include "tunesmith/metrics/scorer.h"

namespace tunesmith::forest::oracles {

struct BleuOracleOptions {
  metrics::ReferenceLength reference_length = metrics::ReferenceLength::closest;
  std::vector<double> background;  // added to the statistics of the sentence; 2 * order + 1 values
  bool scaled = false;             // multiply gains by the size of background and sentence
  bool monotone = true;            // more matches never lower a gain: dominated items may be pruned
  double model_weight = 0;
  double metric_weight = 1;
  size_t beam = 0;                // items kept per node; 0 keeps all
  size_t max_work = 200'000'000;  // limit of items created and compared, if there is no beam
};

/// A derivation with its model score, and its value under the objective.
struct BleuOracle {
  Derivation derivation;
  double value;               // model_weight * score + metric_weight * gain
  double gain;                // of background + statistics, scaled if `scaled`
  std::vector<double> stats;  // of the sentence alone
};

/// argmax over derivations of model_weight * score + metric_weight * gain(background + statistics). If
/// model_weight is 0, the model score decides among equal ones.
///
/// Dynamic programming from tails to heads. An item is a context (the words that can still become part of a
/// match) and the statistics of OracleStatistics; of items equal in both, the one with the best model score
/// stays. An item is pruned if another one of the same context and length is at least as good in model score
/// and in matches, whatever follows; each is compared with a few others only, so that time stays linear in
/// the number of items. Exact without a beam: time and memory then grow with the number of different items,
/// that is, of lengths, matches and counts that clipping may cut. With a beam of b, a node keeps the b best
/// items by the same objective of the partial yield, with the reference length times the node's share of the
/// length of derivations; without a background they are ranked by add-one BLEU. Items of tails with ranks
/// r_1, r_2, ... are combined if r_1 * r_2 * ... <= b: at most b (1 + log b) combinations for two tails.
/// Edges of minus infinity are forbidden. Throws InputError if there is no derivation.
BleuOracle bleu_oracle(const Forest& forest, const Texts& references, const metrics::Scorer& scorer,
                       std::span<const double> scores, const BleuOracleOptions& options);

/// The n best derivations with different strings under the same objective, best first; fewer if there are
/// fewer. Of the derivations of a string, the one with the best model score. All ways to make an item are
/// kept, and the n best are read off lazily (OracleKbest). Without a beam they are exact: an item is pruned
/// only if n others dominate it. With a beam the search is that of `bleu_oracle`, and the first derivation is
/// the same; a dominated item is not extended, but the ways to make it are kept with those of the item that
/// dominates it, whose place it may take in derivations at an estimated loss. A quarter more than n are read
/// off by these estimates and ranked by their exact objective.
std::vector<BleuOracle> bleu_oracles(const Forest& forest, const Texts& references,
                                     const metrics::Scorer& scorer, std::span<const double> scores,
                                     const BleuOracleOptions& options, size_t strings);

}  // namespace tunesmith::forest::oracles
