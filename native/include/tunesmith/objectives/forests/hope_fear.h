// Online large-margin learning on forests: lattice MIRA (Cherry and Foster 2012), chart forests as well.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/base/block_store.h"
#include "tunesmith/forest/store.h"
#include "tunesmith/objectives/forests/packed_hope_fear.h"
#include "tunesmith/objectives/hope_fear.h"

namespace tunesmith::objectives::forests {

/// A sentence's forest, compiled, and its number.
struct HopeFearSentence {
  size_t number;
  HopeFearForest forest;
};

/// Finds argmax of score + sign * B in the forest of a sentence, for sign 1 (hope) or -1 (fear), with
/// B = gain(background + stats) * size(background + stats). It may be called on two threads at once.
class HopeFearFinder {
 public:
  virtual ~HopeFearFinder() = default;
  virtual WeighedDerivation find(const HopeFearSentence& sentence, std::span<const double> scores,
                                 std::span<const double> background, double sign) const = 0;
};

/// The slopes of B at the background by words and by the matches of each order, theta_0 to theta_N: the first
/// terms of a Taylor series. d B / d words sums those of all totals, as each order has an n-gram more a word.
/// The reference length is taken to be that of the sentence whatever is found.
std::vector<double> background_slopes(const metrics::BleuScorer& scorer, std::span<const double> background);

/// Forests to learn from, compiled, and the gain of their derivations. They are kept as `BlockStore` does.
class HopeFearForests {
 public:
  /// Throws InputError unless the scorer is that of BLEU.
  HopeFearForests(std::shared_ptr<const metrics::Scorer> scorer, size_t width, uint64_t memory_limit,
                  std::string folder);

  /// Throws InputError unless the forest has the order of the scorer and as many weights as the others.
  void add(PackedHopeFearForest forest);

  size_t size() const { return blocks_.size(); }
  size_t width() const { return width_; }
  uint64_t edge_count() const { return edges_; }
  uint64_t bytes() const { return blocks_.bytes(); }
  uint64_t bytes_on_disk() const { return blocks_.bytes_on_disk(); }
  const metrics::BleuScorer& scorer() const { return *bleu_; }

  /// The forest of a sentence; one on disk is read into `buffer`, and lives as long as what is there.
  HopeFearSentence sentence(size_t number, std::vector<std::byte>& buffer) const;

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

  std::shared_ptr<const metrics::Scorer> scorer_;
  const metrics::BleuScorer* bleu_;
  size_t width_;
  BlockStore blocks_;
  uint64_t edges_ = 0;
};

/// Hope and fear of B made linear at the background: exact Viterbi over unclipped matches, O(edges).
class LinearFinder : public HopeFearFinder {
 public:
  /// Throws InputError unless the scorer is that of BLEU.
  explicit LinearFinder(std::shared_ptr<const metrics::Scorer> scorer);
  WeighedDerivation find(const HopeFearSentence& sentence, std::span<const double> scores,
                         std::span<const double> background, double sign) const override;

 private:
  std::shared_ptr<const metrics::Scorer> scorer_;
  const metrics::BleuScorer& bleu_;
};

/// Hope and fear of B itself, clipped, by a beam search (`bleu_oracle`) over the forests before the split.
class BeamFinder : public HopeFearFinder {
 public:
  /// Throws InputError unless each forest has references.
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
