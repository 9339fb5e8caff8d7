// Diagonal alignment prior of the reparameterized IBM model 2 (fast_align), and the update of its tension.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/corpus/sentences.h"

namespace tunesmith::align {

/// |i/n - j/m|; positions count from 0 in the arguments and from 1 in the formula.
inline double off_diagonal(size_t i, size_t n, size_t j, size_t m) {
  return std::abs(static_cast<double>(i + 1) / static_cast<double>(n) -
                  static_cast<double>(j + 1) / static_cast<double>(m));
}

/// The weight exp(-tension * |x - y|) of positions x = i/n and y = j/m without an exponential per cell: it is
/// the lesser of exp(tx) exp(-ty) and exp(-tx) exp(ty).
class DiagonalFactors {
 public:
  explicit DiagonalFactors(double tension);

  /// exp(tension * i/n) and exp(-tension * i/n) for i = 1..n.
  struct Side {
    const float* up;
    const float* down;
  };
  /// Lengths that are not cached are computed into `scratch`.
  Side side(size_t n, std::vector<float>& scratch) const;
  double tension() const { return tension_; }

 private:
  static constexpr size_t kKept = 256;
  static void compute(double tension, size_t n, float* up);

  double tension_;
  std::vector<float> kept_;  // cache; for length n: 2n floats from n(n - 1)
};

/// Number of sentence pairs with these lengths.
struct LengthPair {
  int32_t source, target;
  int64_t count;
};
std::vector<LengthPair> length_pairs(const corpus::Sentences& source, const corpus::Sentences& target);

/// Gradient used to update the tension. kLikelihood is the observed mean of the feature -|i/n - j/m| over
/// aligned words, minus its expectation under the prior. kFastAlign differs in three ways, and converges to a
/// lower tension: it takes the mean over all words, measures the observed feature from j - 1, and normalizes
/// the expectation with the two lengths exchanged.
enum class TensionGradient { kLikelihood, kFastAlign };

/// The mean over predicted words of the feature's expectation under the prior; `reverse` exchanges the sides.
double expected_feature(std::span<const LengthPair> lengths, double tension, TensionGradient gradient,
                        bool reverse, int threads);

/// Steps of 20 * (observed - expected), clipped to [0.1, 14] (Dyer, Chahuneau and Smith 2013, section 2.1).
double update_tension(std::span<const LengthPair> lengths, double tension, double observed,
                      TensionGradient gradient, bool reverse, int steps, int threads);

}  // namespace tunesmith::align
