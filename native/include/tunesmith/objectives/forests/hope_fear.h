// Online large-margin learning on forests: lattice MIRA (Cherry and Foster 2012), chart forests as well.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/forest/store.h"
#include "tunesmith/objectives/forests/packed_hope_fear.h"
#include "tunesmith/objectives/hope_fear.h"

namespace tunesmith::objectives::forests {

/// The compiled forest of a sentence, and the sentence's number.
struct HopeFearSentence {
  size_t number;
  HopeFearForest forest;
};

/// Finds argmax of score + sign * B in the forest of a sentence, for sign 1 (hope) or -1 (fear), with
/// B = gain(background + stats) * size(background + stats). May be called by two threads at once.
class HopeFearFinder {
 public:
  virtual ~HopeFearFinder() = default;
  virtual WeighedDerivation find(const HopeFearSentence& sentence, std::span<const double> scores,
                                 std::span<const double> background, double sign) const = 0;
};

/// Derivatives of B at the background by the number of words (theta_0) and the matches of each order (theta_1
/// to theta_N): a first-order Taylor expansion. d B / d words sums those of all totals, as each further word
/// is one more n-gram of every order. The reference length is held constant. Throws InputError unless the
/// scorer is BLEU's.
std::vector<double> background_slopes(const metrics::Scorer& scorer, std::span<const double> background);

/// Compiled forests to learn from, and the gain of their derivations.
class HopeFearForests : public PackedForests<HopeFearForest> {
 public:
  /// Throws InputError unless the scorer is BLEU's.
  HopeFearForests(std::shared_ptr<const metrics::Scorer> scorer, size_t width, uint64_t memory_limit,
                  std::string folder);

  /// Throws InputError unless the forest was compiled for the order of the scorer and this number of weights.
  void add(PackedForest<HopeFearForest> forest);

  const metrics::BleuScorer& scorer() const { return *bleu_; }

  /// The forest of a sentence; one on disk is read into `buffer`, which must outlive it.
  HopeFearSentence sentence(size_t number, std::vector<std::byte>& buffer) const;

  /// Statistics of the best derivations under the weights, one row per sentence. O(edges).
  std::vector<double> statistics(std::span<const double> weights, int threads) const;

  /// Visits sentences in the given order, each as in `hope_fear_pass`, with hope and fear found in the forest
  /// by the finder. The true B of both, clipped, decides about the update and its size. O(edges) per search;
  /// an update touches only the features in which hope and fear differ.
  void pass(const HopeFearFinder& finder, std::span<const int64_t> order, double aggressiveness, double decay,
            const Box& box, int threads, HopeFearState& state) const;

 private:
  void check(std::span<const double> weights, const char* what) const;
  double gain(std::span<const double> background, std::span<const double> stats) const;

  std::shared_ptr<const metrics::Scorer> scorer_;
  const metrics::BleuScorer* bleu_;
  size_t width_;
};

/// Hope and fear of B linearized at the background: exact Viterbi over unclipped matches, O(edges).
class LinearFinder : public HopeFearFinder {
 public:
  /// Throws InputError unless the scorer is BLEU's.
  explicit LinearFinder(std::shared_ptr<const metrics::Scorer> scorer);
  WeighedDerivation find(const HopeFearSentence& sentence, std::span<const double> scores,
                         std::span<const double> background, double sign) const override;

 private:
  std::shared_ptr<const metrics::Scorer> scorer_;
};

/// Hope and fear of B itself, clipped, by a beam search (`bleu_oracle`) over the forests before the split.
class BeamFinder : public HopeFearFinder {
 public:
  /// Throws InputError unless there are references for each forest.
  BeamFinder(std::shared_ptr<const forest::ForestStore> forests, std::vector<TextColumn> references,
             std::shared_ptr<const metrics::Scorer> scorer, metrics::ReferenceLength length, bool monotone,
             size_t beam);
  WeighedDerivation find(const HopeFearSentence& sentence, std::span<const double> scores,
                         std::span<const double> background, double sign) const override;

 private:
  std::shared_ptr<const forest::ForestStore> forests_;
  std::vector<TextColumn> references_;  // of each sentence
  std::shared_ptr<const metrics::Scorer> scorer_;
  metrics::ReferenceLength length_;
  bool monotone_;
  size_t beam_;
};

}  // namespace tunesmith::objectives::forests
