// Expected n-gram counts over the forests of a corpus, and the gradient of any function of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/base/block_store.h"
#include "tunesmith/objectives/forests/ngram_forest.h"

namespace tunesmith::objectives::forests {

/// The distribution over derivations: p(d) is proportional to exp(scale * weights . features(d)).
struct DerivationModel {
  std::span<const double> weights;
  double scale = 1;
};

/// Of all sentences, side by side.
struct ExpectedCounts {
  std::vector<double> counts;   // of the references' n-grams
  std::vector<double> totals;   // sentences x orders: n-grams of each order; first the length
  std::vector<double> entropy;  // of the distribution over derivations of each sentence, in nats
};

/// What counts are worth: in the shape of `ExpectedCounts`.
struct CountValues {
  std::span<const double> counts;
  std::span<const double> totals;
};

struct ExpectedReward {
  double mean = 0;     // sum over sentences of E[r]
  double entropy = 0;  // sum over sentences of H; told only where it has a temperature
  std::vector<double> gradient;
};

/// Compiled forests of many sentences, kept as `BlockStore` does and read a sentence at a time. Results do
/// not depend on the number of threads.
class NgramForests {
 public:
  /// `width` features; n-grams of up to `order` words. Beyond so many bytes forests go to disk.
  NgramForests(size_t order, size_t width, uint64_t memory_limit, std::string folder);

  void add(PackedNgramForest forest);

  size_t order() const { return order_; }
  size_t width() const { return width_; }
  size_t size() const { return blocks_.size(); }
  uint64_t edge_count() const { return edges_; }
  uint64_t bytes() const { return blocks_.bytes(); }
  uint64_t bytes_on_disk() const { return blocks_.bytes_on_disk(); }

  /// Of the references: n-grams [offsets[i], offsets[i + 1]) belong to sentence i.
  const std::vector<int64_t>& offsets() const { return offsets_; }
  const std::vector<int64_t>& lengths() const { return lengths_; }
  const std::vector<double>& limits() const { return limits_; }
  /// Sentences x references.
  const std::vector<double>& reference_lengths() const { return reference_lengths_; }
  size_t reference_count() const { return references_; }

  /// E[c] of each n-gram and total. One inside and one outside pass, an exp an edge. O(edges).
  ExpectedCounts expected(const DerivationModel& model, int threads) const;

  /// The sum over sentences of E[r] + temperature * H, where r(d) adds up what the n-grams of d are worth,
  /// and its gradient by the weights. The paper's marked recursions (Pauls, DeNero and Klein 2009, figure 4)
  /// in one pass for all n-grams, in the form of derivatives: with R(e) = r(e) + sum of E[r | tails] and b(v)
  /// the derivative of E[r] by the log inside of v, that by the score of edge e is
  ///   p(e | v) (p(v) (R(e) - E[r | v]) + b(v)),  v = head(e),
  /// and b(t) is the sum of it over the edges that have tail t. O(edges + features).
  ExpectedReward reward(const DerivationModel& model, const CountValues& values, double temperature,
                        int threads) const;

 private:
  void check(const DerivationModel& model) const;
  template <class Body>
  size_t in_shares(int threads, Body body) const;

  size_t order_, width_;
  BlockStore blocks_;
  std::vector<int64_t> work_;  // edges of each sentence
  uint64_t edges_ = 0;
  std::vector<int64_t> offsets_{0}, lengths_;
  std::vector<double> limits_, reference_lengths_;
  size_t references_ = 0;
};

}  // namespace tunesmith::objectives::forests
