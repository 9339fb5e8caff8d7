// The corpus gain along a line through weight space, over all derivations of forests.
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

/// A string wins from `from` to the next one of its sentence.
struct WinningYield {
  double from;
  forest::YieldHash yield;
};

/// The strings that win along a line, and those of them that nobody has measured yet.
struct LineWinners {
  Rows<WinningYield> winners;  // of each sentence
  size_t lines = 0;            // of all envelopes; fewer strings win where several derivations have one

  // What has to be measured: strings of sentences[i] are texts [lists[i], lists[i + 1]).
  std::vector<int64_t> sentences;
  std::vector<int64_t> lists{0};
  TextColumn texts;
  std::vector<forest::YieldHash> yields;  // of the texts
};

/// Line search over forests. Statistics are kept by fingerprint of the string, so that each is measured once
/// by whoever measures: find winners, measure what is new and `add` it, then ask for the `profile`. May be
/// used by several threads at once; nothing depends on which is first.
class ForestProfile {
 public:
  ForestProfile(std::shared_ptr<const forest::ForestStore> forests,
                std::shared_ptr<const metrics::Scorer> scorer);

  /// How many strings were measured.
  size_t yield_count() const;

  /// The scores of the edges of all forests, one forest's after another's. O(feature values).
  std::vector<double> scores(std::span<const double> weights, int threads) const;

  /// The best strings under the scores: of equal derivations those that `viterbi` takes. O(edges).
  LineWinners at(std::span<const double> scores, int threads) const;

  /// The best strings everywhere on the line that begins where edges have these scores, or on a part of it.
  /// O(edges * lines).
  LineWinners along(std::span<const double> scores, std::span<const double> direction,
                    forest::LineRange range, int threads) const;

  /// Takes the statistics of the strings that had to be measured, a row each.
  void add(const LineWinners& found, MatrixView stats);

  /// The gain along the line, all of whose winners must have been measured.
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
