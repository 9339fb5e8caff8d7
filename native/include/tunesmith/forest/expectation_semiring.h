// Expectation semiring: the total weight of derivations with the mean of an additive quantity.
#pragma once

#include <cmath>

#include "tunesmith/forest/semiring.h"

namespace tunesmith::forest {

/// Log of the total weight of a set of derivations, and the mean of r over them. Eisner's pair (p, p x r) in
/// a form that neither overflows nor needs signs: times adds means, plus averages them by weight. The mean
/// over no derivations is 0.
struct WeightedMean {
  double log_weight;
  double mean;

  friend bool operator==(const WeightedMean&, const WeightedMean&) = default;
};

/// First-order expectations (Eisner 2002; Li and Eisner 2009).
struct ExpectationSemiring {
  using Value = WeightedMean;
  static Value zero() { return {kLogZero, 0}; }
  static Value one() { return {0, 0}; }
  static Value plus(Value a, Value b) {
    if (a.log_weight < b.log_weight) std::swap(a, b);
    if (b.log_weight == kLogZero) return a;
    const double odds = std::exp(b.log_weight - a.log_weight);
    return {a.log_weight + std::log1p(odds), a.mean + (b.mean - a.mean) * (odds / (1 + odds))};
  }
  static Value times(Value a, Value b) {
    const double log_weight = a.log_weight + b.log_weight;
    return log_weight == kLogZero ? zero() : Value{log_weight, a.mean + b.mean};
  }
};

}  // namespace tunesmith::forest
