// The upper envelope of all derivations of a forest: which of them wins where along a direction of search.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "tunesmith/forest/forest.h"
#include "tunesmith/forest/yield_hash.h"

namespace tunesmith::forest {

/// A part of a line of search, both ends included.
struct LineRange {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
};

/// The scores of derivations along a line of weights are lines themselves, sums of those of their edges:
/// intercept + gamma * slope. The best derivations of a node are the upper envelope of such lines, and the
/// envelope of a node is (Macherey et al. 2008; Kumar et al. 2009)
///   plus over its in-edges of: the edge's line times the envelopes of its tails,
/// where plus is the envelope of both operands' lines and times adds functions, so that its thresholds are
/// those of both (the Minkowski sum of convex hulls): `inside` in the semiring of envelopes, written out so
/// that nothing is allocated an edge. Exact for any number of tails, also where a tail repeats.
///
/// Thresholds rise strictly; a line that only touches the envelope is left out; of identical lines the one of
/// the lowest edge stays, as in `viterbi`. Slopes that differ by less than their sums are rounded, 1e-12 of
/// the largest slope of an edge, count as parallel: else derivations of the same features in another order
/// would cross one another far away. O(edges * lines of an envelope); memory is kept from forest to forest.
class ForestEnvelope {
 public:
  /// Finds the envelope of the root, given each edge's score where the line begins and its slope. Of a part
  /// of the line only the lines that win there are kept at any node, which is as exact and much less work.
  /// Throws InputError for an empty forest, a range that is none, and unless all scores and slopes, and their
  /// sums, are finite.
  void find(const Forest& forest, std::span<const double> scores, std::span<const double> slopes,
            LineRange range = {});

  /// The winners, by rising slope.
  size_t size() const { return root().size(); }
  /// From where winner i wins; the low end of the range for the first.
  double from(size_t i) const { return root()[i].from; }
  double slope(size_t i) const { return root()[i].slope; }
  double intercept(size_t i) const { return root()[i].intercept; }

  /// The edges of winner i, in preorder. The forest is the one that was searched.
  std::vector<uint32_t> edges(const Forest& forest, size_t i) const;

  /// The fingerprint of each winner's target words. O(lines of all nodes), however long the yields are.
  void yields(const Forest& forest, std::vector<YieldHash>& result) const;

 private:
  /// One derivation of a node where it wins: its last edge, and where the lines of its tails are found.
  struct Winner {
    double slope;
    double intercept;
    double from;
    uint32_t edge;
    uint32_t below;  // the place of the tail's line in lines_; of several tails, of their places in choices_
  };

  /// The envelope of an edge with its tails: lines that are shifted by the edge's own.
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
  /// The place of the line of tail i of an edge with so many tails.
  uint32_t place_below(const Winner& winner, size_t tails, size_t i) const {
    return tails == 1 ? winner.below : choices_[winner.below + i];
  }

  Product times(const Forest& forest, uint32_t edge, double score, double slope);
  bool below_current(const Product& product) const;
  void plus(const Product& product);
  void push(const Winner& line, const Winner* previous);

  std::vector<Winner> lines_;      // of all nodes, one node's after another's
  std::vector<uint32_t> offsets_;  // where a node's begin
  std::vector<uint32_t> choices_;
  std::vector<Winner> current_;  // the node's envelope so far
  std::vector<Winner> merged_;
  std::vector<Winner> sum_;  // of several tails
  double parallel_ = 0;
  LineRange range_;
  Winner one_{};  // the envelope of no tails
};

}  // namespace tunesmith::forest
