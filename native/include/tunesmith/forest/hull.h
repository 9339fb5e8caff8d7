// Upper envelope of all derivations of a forest along a search direction: hypergraph MERT.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"
#include "tunesmith/forest/yield_hash.h"

namespace tunesmith::forest {

/// A range of a search line, both ends included.
struct LineRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// Along a line of weights, the score of a derivation is the line intercept + gamma * slope, the sum of the
/// lines of its edges. The best derivations of a node form the upper envelope of such lines, which is
/// (Macherey et al. 2008; Kumar et al. 2009)
///   plus over its in-edges of: the edge's line times the envelopes of its tails,
/// where plus is the envelope of the lines of both operands, and times adds functions, so that its thresholds
/// are those of both (the Minkowski sum of convex hulls): `inside` in the semiring of envelopes, written as a
/// loop of its own so that no memory is allocated per edge. Exact for any number of tails, repeated ones too.
///
/// Thresholds are strictly increasing; a line that only touches the envelope is left out; of identical lines
/// the one of the lowest edge stays, as in `viterbi`. Slopes that differ by less than the rounding of their
/// sums, 1e-12 of the largest slope of an edge, count as parallel: otherwise derivations with the same
/// features in another order would cross far away. O(edges * lines of an envelope); memory is reused by the
/// next forest.
class ForestEnvelope {
 public:
  /// Finds the envelope of the root, given each edge's score at the start of the line, and its slope. Within
  /// a range, nodes keep only the lines that win there, which is as exact and much less work. Throws
  /// InputError for an empty forest, an empty range, and unless all scores, slopes and their sums are finite.
  void find(const Forest& forest, std::span<const double> scores, std::span<const double> slopes,
            LineRange range = {});

  /// Number of winners, which are in order of increasing slope.
  size_t size() const { return root().size(); }
  /// Where winner i begins to win; the low end of the range for the first.
  double from(size_t i) const { return root()[i].from; }
  double slope(size_t i) const { return root()[i].slope; }
  double intercept(size_t i) const { return root()[i].intercept; }

  /// Edges of winner i, in preorder. `forest` is the one that was searched.
  std::vector<uint32_t> edges(const Forest& forest, size_t i) const;

  /// Fingerprint of each winner's target words. O(lines of all nodes), however long the yields are.
  void yields(const Forest& forest, std::vector<YieldHash>& result) const;

 private:
  /// A derivation of a node on its envelope: its top edge, and back-pointers to the lines of its tails.
  struct Winner {
    double slope;
    double intercept;
    double from;
    uint32_t edge;
    uint32_t below;  // index of the tail's line in lines_; of several tails, of their indices in choices_
  };

  /// The envelope of an edge with its tails: lines shifted by the edge's own.
  struct Product {
    std::span<const Winner> lines;
    double slope;
    double intercept;
    uint32_t edge;
    uint32_t below;   // of the first line
    uint32_t stride;  // from line to line

    Winner operator[](size_t i) const {
      return {lines[i].slope + slope, lines[i].intercept + intercept, lines[i].from, edge,
              below + static_cast<uint32_t>(i) * stride};
    }
  };

  std::span<const Winner> of_node(uint32_t node) const {
    return {lines_.data() + offsets_[node], lines_.data() + offsets_[node + 1]};
  }
  std::span<const Winner> root() const { return std::span(lines_).subspan(offsets_.end()[-2]); }
  /// Index in lines_ of the line of tail i of an edge with this many tails.
  uint32_t line_below(const Winner& winner, size_t tails, size_t i) const {
    return tails == 1 ? winner.below : choices_[winner.below + i];
  }

  Product times(const Forest& forest, uint32_t edge, double score, double slope);
  bool below_current(const Product& product) const;
  void plus(const Product& product);
  void push(const Winner& line, const Winner* previous);

  std::vector<Winner> lines_;      // of all nodes, concatenated
  std::vector<uint32_t> offsets_;  // begin of each node's lines
  std::vector<uint32_t> choices_;
  std::vector<Winner> current_;  // the node's envelope so far
  std::vector<Winner> merged_;
  std::vector<Winner> sum_;  // of several tails
  double parallel_ = 0;
  LineRange range_;
  Winner one_{};  // the envelope of no tails
};

}  // namespace tunesmith::forest
