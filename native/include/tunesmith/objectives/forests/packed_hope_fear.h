// A forest compiled for large-margin learners: what each edge adds to n-gram matches, length and features.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/edge_features.h"
#include "tunesmith/forest/hypergraph.h"
#include "tunesmith/forest/reference_ngrams.h"
#include "tunesmith/forest/refinement.h"
#include "tunesmith/objectives/forests/packed_forests.h"

namespace tunesmith::objectives::forests {

/// A derivation as the edges of the forest with the number of times each is used, and its BLEU statistics.
struct WeighedDerivation {
  struct Use {
    uint32_t edge;
    double times;
  };
  std::vector<Use> uses;
  std::vector<double> stats;
};

/// One forest and its references, searched in every pass; its arrays are in a `PackedForest` or a block of
/// `PackedForests`.
///
/// Nodes are split by the part of their contexts that can belong to a match, so that each edge adds a fixed
/// number of words and fixed n-grams of the references. Few of these combinations differ: each is stored
/// once, and edges have its number. Features stay with the edges before the split and are shared by copies.
class HopeFearForest : public forest::HypergraphView {
 public:
  explicit HopeFearForest(std::span<const std::byte> packed);

  size_t width() const { return shape_[0]; }
  size_t order() const { return shape_[1]; }
  /// Features of the edges before the split, by column of the weights.
  const forest::EdgeFeatures& features() const { return features_; }

  /// Score of each edge before the split. O(feature values).
  std::vector<double> scores(std::span<const double> weights) const;

  /// argmax of sum of `scores` + theta_0 * words + sum over n of theta_n * (n-grams that a reference has, not
  /// clipped), by Viterbi: O(edges), exact. Among equals nodes take their lowest edge. The statistics are
  /// those of BLEU, clipped. Empty `thetas` are zeros: the best derivation of the model.
  WeighedDerivation best(std::span<const double> scores, std::span<const double> thetas) const;

 private:
  /// Reward of each addition: theta_0 * words + theta_n per n-gram of n words.
  std::vector<double> rewards(std::span<const double> thetas) const;
  /// The statistics of a derivation, given how many times it has each addition.
  std::vector<double> bleu(std::span<const double> times) const;

  std::span<const uint32_t> shape_;  // number of weights, order, kind of reference length
  // After the split.
  std::span<const uint32_t> origins_;    // the edge of which each is a copy
  std::span<const uint32_t> additions_;  // what each edge adds: a row of the next two
  RowsView<uint32_t> added_ngrams_;
  std::span<const uint32_t> added_words_;
  // Before the split.
  forest::EdgeFeatures features_;
  // Of the references.
  std::span<const uint32_t> ngram_orders_, limits_, reference_lengths_;
};

/// Compiles a forest; feature i has the weight columns[i] among `width`. Throws InputError if the forest has
/// no derivation or grows beyond the limits.
PackedForest<HopeFearForest> pack_hope_fear_forest(const forest::Forest& forest,
                                                   std::span<const int64_t> columns, size_t width,
                                                   const Texts& references,
                                                   const metrics::BleuOptions& options,
                                                   const forest::RefinementLimits& limits);

}  // namespace tunesmith::objectives::forests
