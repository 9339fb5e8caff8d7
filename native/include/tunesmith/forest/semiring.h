// Semirings of forest recursions (Goodman 1999): plus joins alternative edges, times an edge and its tails.
#pragma once

#include <algorithm>
#include <limits>

#include "tunesmith/base/softmax.h"

namespace tunesmith::forest {

inline constexpr double kLogZero = -std::numeric_limits<double>::infinity();

/// Log of summed weights.
struct LogSemiring {
  using Value = double;
  static Value zero() { return kLogZero; }
  static Value one() { return 0; }
  static Value plus(Value a, Value b) { return log_add(a, b); }
  static Value times(Value a, Value b) { return a + b; }
};

/// The best score.
struct ViterbiSemiring {
  using Value = double;
  static Value zero() { return kLogZero; }
  static Value one() { return 0; }
  static Value plus(Value a, Value b) { return std::max(a, b); }
  static Value times(Value a, Value b) { return a + b; }
};

/// Largest additive count of a derivation; with negated counts the smallest. Yields may be exponentially long
/// in the size of a forest: counts are clamped to kMost.
struct MostSemiring {
  using Value = double;
  static constexpr double kMost = 1e15;
  static Value zero() { return kLogZero; }
  static Value one() { return 0; }
  static Value plus(Value a, Value b) { return std::max(a, b); }
  static Value times(Value a, Value b) {
    return a == kLogZero || b == kLogZero ? kLogZero : std::clamp(a + b, -kMost, kMost);
  }
};

/// Number of derivations; exact up to 2^53.
struct CountSemiring {
  using Value = double;
  static Value zero() { return 0; }
  static Value one() { return 1; }
  static Value plus(Value a, Value b) { return a + b; }
  static Value times(Value a, Value b) { return a * b; }
};

}  // namespace tunesmith::forest
