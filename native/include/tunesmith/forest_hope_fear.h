// Online large-margin learning on forests: lattice MIRA (Cherry and Foster 2012), chart forests as well.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "tunesmith/hope_fear.h"
#include "tunesmith/hope_fear_forest.h"

namespace tunesmith {

/// Finds argmax of score + sign * B in the forest of a sentence, for sign 1 (hope) or -1 (fear), with
/// B = gain(background + stats) * size(background + stats). It may be called on two threads at once.
class HopeFearFinder {
 public:
  virtual ~HopeFearFinder() = default;
  virtual WeighedDerivation find(size_t sentence, std::span<const double> scores,
                                 std::span<const double> background, double sign) const = 0;
};

/// The slopes of B at the background by words and by the matches of each order, theta_0 to theta_N: the first
/// terms of a Taylor series. d B / d words sums those of all totals, as each order has an n-gram more a word.
/// The reference length is taken to be that of the sentence whatever is found.
std::vector<double> background_slopes(const BleuScorer& scorer, std::span<const double> background);

/// Forests to learn from, compiled, and the gain of their derivations.
class HopeFearForests {
 public:
  using Sentences = std::vector<std::shared_ptr<const HopeFearForest>>;
  /// Throws InputError unless all sentences have the order of the scorer and equally many weights.
  HopeFearForests(Sentences sentences, std::shared_ptr<const Scorer> scorer);

  size_t size() const { return sentences_.size(); }
  size_t width() const { return width_; }
  const BleuScorer& scorer() const { return *bleu_; }
  const HopeFearForest& operator[](size_t sentence) const { return *sentences_[sentence]; }

  /// The statistics of the derivations that the weights think best, a row a sentence. O(edges).
  std::vector<double> statistics(std::span<const double> weights, int threads) const;

  /// Visits sentences in the given order; what it does at each is `hope_fear_pass`, with hope and fear from
  /// the forest as the finder finds them. The true B of both, clipped, tells whether and how far to go.
  /// O(edges) for each search; an update touches only the features in which hope and fear differ.
  void pass(const HopeFearFinder& finder, std::span<const int64_t> order, double aggressiveness, double decay,
            const Box& box, int threads, HopeFearState& state) const;

 private:
  void check(std::span<const double> weights, const char* what) const;
  double gain(std::span<const double> background, std::span<const double> stats) const;

  Sentences sentences_;
  std::shared_ptr<const Scorer> scorer_;
  const BleuScorer* bleu_;
  size_t width_ = 0;
};

/// Hope and fear of B made linear at the background: exact Viterbi over unclipped matches, O(edges).
class LinearFinder : public HopeFearFinder {
 public:
  explicit LinearFinder(const HopeFearForests& forests) : forests_(forests) {}
  WeighedDerivation find(size_t sentence, std::span<const double> scores, std::span<const double> background,
                         double sign) const override;

 private:
  const HopeFearForests& forests_;
};

/// Hope and fear of B itself, clipped, by a beam search (`bleu_oracle`) over the forests before the split.
class BeamFinder : public HopeFearFinder {
 public:
  struct Source {
    std::shared_ptr<const Forest> forest;
    TextColumn references;
  };
  BeamFinder(std::vector<Source> sources, std::shared_ptr<const Scorer> scorer, ReferenceLength length,
             bool monotone, size_t beam);
  WeighedDerivation find(size_t sentence, std::span<const double> scores, std::span<const double> background,
                         double sign) const override;

 private:
  std::vector<Source> sources_;
  std::shared_ptr<const Scorer> scorer_;
  ReferenceLength length_;
  bool monotone_;
  size_t beam_;
};

}  // namespace tunesmith
