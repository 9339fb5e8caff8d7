// A forest as learners of margins see it: what each edge adds to matches, length and features.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tunesmith/base/packed_arrays.h"
#include "tunesmith/forest/reference_ngrams.h"
#include "tunesmith/forest/refinement.h"

namespace tunesmith::objectives::forests {

/// What a derivation is to a learner: how often it uses which edges of the forest, and its BLEU statistics.
struct WeighedDerivation {
  struct Use {
    uint32_t edge;
    double times;
  };
  std::vector<Use> uses;
  std::vector<double> stats;
};

/// One forest and its references, to be searched in every pass; the arrays are those of a
/// `PackedHopeFearForest`, wherever they lie.
///
/// Nodes are split by what of their contexts can be part of a match, so that each edge adds a fixed number of
/// words and fixed n-grams of the references. Few combinations of these are different: an edge has the
/// number of its own. Features stay with the edges of the forest before the split; copies share them.
class HopeFearForest {
 public:
  explicit HopeFearForest(std::span<const std::byte> packed);

  size_t width() const { return shape_[0]; }
  size_t order() const { return shape_[1]; }
  /// Edges after the split.
  size_t edge_count() const { return origins_.size(); }

  /// The score of each edge before the split. O(features).
  std::vector<double> scores(std::span<const double> weights) const;

  /// argmax of sum of `scores` + theta_0 * words + sum over n of theta_n * (n-grams that a reference has, not
  /// clipped), by Viterbi: O(edges), exact. Among equals nodes take their lowest edge. The statistics are
  /// those of BLEU, clipped. No `thetas` are zeros: the derivation that the model thinks best.
  WeighedDerivation best(std::span<const double> scores, std::span<const double> thetas) const;

  /// Calls visit(column, value) for each feature of an edge before the split; columns may repeat.
  template <class Visit>
  void features(uint32_t edge, Visit visit) const {
    for (const FeatureValue& feature : rule_features_[rules_[edge]])
      visit(feature.column, static_cast<double>(feature.value));
    for (const FeatureValue& feature : edge_features_[edge])
      visit(feature.column, static_cast<double>(feature.value));
  }

 private:
  std::vector<double> rewards(std::span<const double> thetas) const;
  /// The best edge of each node.
  std::vector<uint32_t> winners(std::span<const double> scores, std::span<const double> rewards) const;
  /// The statistics of edges that are used so often.
  std::vector<double> bleu(std::span<const double> times) const;

  std::span<const uint32_t> shape_;  // weights, order, kind of reference length
  // After the split.
  std::span<const uint32_t> edge_offsets_;  // of nodes
  RowsView<uint32_t> tails_;
  std::span<const uint32_t> origins_;    // the edge that each is a copy of
  std::span<const uint32_t> additions_;  // what each adds: a row below
  RowsView<uint32_t> added_ngrams_;
  std::span<const uint32_t> added_words_;
  // Before the split.
  std::span<const uint32_t> rules_;
  RowsView<FeatureValue> rule_features_, edge_features_;
  // Of the references.
  std::span<const uint32_t> ngram_orders_, limits_, reference_lengths_;
};

/// A forest, compiled once; its arrays are one block of bytes.
class PackedHopeFearForest {
 public:
  /// `columns` are the places of the forest's features among `width` weights. Throws InputError if the forest
  /// has no derivation or grows beyond the limits.
  PackedHopeFearForest(const forest::Forest& forest, std::span<const int64_t> columns, size_t width,
                       const Texts& references, const metrics::BleuOptions& options,
                       const forest::RefinementLimits& limits);

  const PackedArrays& arrays() const { return arrays_; }
  PackedArrays take_arrays() { return std::move(arrays_); }
  HopeFearForest view() const { return HopeFearForest(arrays_.bytes()); }

 private:
  PackedArrays arrays_;
};

}  // namespace tunesmith::objectives::forests
