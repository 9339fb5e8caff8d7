// Corpus gain along a line in weight space, over all derivations of forests (Kumar et al. 2009).
#pragma once

#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "tunesmith/forest/hull.h"
#include "tunesmith/forest/store.h"
#include "tunesmith/forest/yield_hash.h"
#include "tunesmith/objectives/gain_profile.h"

namespace tunesmith::objectives::forests {

/// A string that wins from `from` to the next one of its sentence.
struct WinningYield {
  double from;
  forest::YieldHash yield;
};

/// The strings that win along a line, and those of them without statistics yet.
struct LineWinners {
  Rows<WinningYield> winners;  // of each sentence
  size_t lines = 0;            // of all envelopes; several derivations may have the same string

  // Strings to be measured: those of sentences[i] are texts [lists[i], lists[i + 1]).
  std::vector<int64_t> sentences;
  std::vector<int64_t> lists{0};
  TextColumn texts;
  std::vector<forest::YieldHash> yields;  // of the texts
};

/// Line search over forests. Statistics are cached by fingerprint of the string, so that the caller measures
/// each once: find winners, measure the new ones and `add` them, then compute the `profile`. May be used by
/// several threads at once; results do not depend on their order.
class ForestProfile {
 public:
  ForestProfile(std::shared_ptr<const forest::ForestStore> forests,
                std::shared_ptr<const metrics::Scorer> scorer);

  /// Number of measured strings.
  size_t yield_count() const;

  /// Edge scores of all forests, concatenated. O(feature values).
  std::vector<double> scores(std::span<const double> weights, int threads) const;

  /// The best strings under the scores; ties as in `viterbi`. O(edges).
  LineWinners at(std::span<const double> scores, int threads) const;

  /// The best strings along the line that begins at these scores, within a range. O(edges * lines).
  LineWinners along(std::span<const double> scores, std::span<const double> direction,
                    forest::LineRange range, int threads) const;

  /// Stores the statistics of the strings to be measured, one row each.
  void add(const LineWinners& found, MatrixView stats);

  /// The gain along the line; all of its winners must have been measured.
  Profile profile(const LineWinners& found) const;

 private:
  using RowOf = std::unordered_map<forest::YieldHash, int64_t, forest::YieldHash::Hasher>;

  LineWinners winners(std::span<const double> scores, const forest::ForestStore::NamedWeights* direction,
                      forest::LineRange range, int threads) const;

  std::shared_ptr<const forest::ForestStore> forests_;
  std::shared_ptr<const metrics::Scorer> scorer_;

  mutable std::shared_mutex measured_;  // guards what follows
  std::vector<RowOf> rows_;             // of each sentence
  std::vector<double> stats_;
};

}  // namespace tunesmith::objectives::forests
