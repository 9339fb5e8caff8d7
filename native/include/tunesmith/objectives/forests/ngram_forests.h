// Expected n-gram counts over the forests of a corpus, and the gradient of any function of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/objectives/forests/ngram_forest.h"

namespace tunesmith::objectives::forests {

/// Distribution over derivations: p(d) ~ exp(scale * weights . features(d)).
struct DerivationModel {
  std::span<const double> weights;
  double scale = 1;
};

/// Expectations of all sentences, concatenated.
struct ExpectedCounts {
  std::vector<double> counts;   // expected number of each n-gram of the references
  std::vector<double> totals;   // sentences x orders: expected number of n-grams; of order 1 the length
  std::vector<double> entropy;  // of each sentence's distribution over derivations, in nats
};

/// Reward per count, in the shape of `ExpectedCounts`.
struct CountValues {
  std::span<const double> counts;
  std::span<const double> totals;
};

struct ExpectedReward {
  double mean = 0;     // sum over sentences of E[r]
  double entropy = 0;  // sum over sentences of H; 0 unless the temperature is given
  std::vector<double> gradient;
};

/// Compiled forests of a corpus, read one sentence at a time. Results do not depend on the number of threads.
class NgramForests : public PackedForests<NgramForest> {
 public:
  /// For `width` features and n-grams of up to `order` words.
  NgramForests(size_t order, size_t width, uint64_t memory_limit, std::string folder);

  /// Throws InputError unless the forest was compiled for this order, has columns below the width, and has as
  /// many references as the others.
  void add(PackedForest<NgramForest> forest);

  size_t order() const { return order_; }

  /// N-grams of the references: those of sentence i are [offsets[i], offsets[i + 1]).
  const std::vector<int64_t>& offsets() const { return offsets_; }
  const std::vector<int64_t>& lengths() const { return lengths_; }
  const std::vector<double>& limits() const { return limits_; }
  /// Sentences x references.
  const std::vector<double>& reference_lengths() const { return reference_lengths_; }
  size_t reference_count() const { return references_; }

  /// E[c] of each n-gram and total. One inside and one outside pass with one exp per edge. O(edges).
  ExpectedCounts expected(const DerivationModel& model, int threads) const;

  /// The sum over sentences of E[r] + temperature * H, where r(d) is the reward of the n-grams of d, and its
  /// gradient by the weights. The marked recursions of Pauls, DeNero and Klein (2009, figure 4) in one pass
  /// for all n-grams, as derivatives: with R(e) = r(e) + sum of E[r | tails], and b(v) the derivative of E[r]
  /// by the log inside score of v, the derivative of E[r] by the score of edge e is
  ///   p(e | v) (p(v) (R(e) - E[r | v]) + b(v)),  v = head(e),
  /// and b(t) sums this over the edges with tail t. O(edges + features).
  ExpectedReward reward(const DerivationModel& model, const CountValues& values, double temperature,
                        int threads) const;

 private:
  void check(const DerivationModel& model) const;
  template <class Body>
  size_t in_shares(int threads, Body body) const;

  size_t order_, width_;
  std::vector<int64_t> work_;  // edges of each sentence
  std::vector<int64_t> offsets_{0}, lengths_;
  std::vector<double> limits_, reference_lengths_;
  size_t references_ = 0;
};

}  // namespace tunesmith::objectives::forests
