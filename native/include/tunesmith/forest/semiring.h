// Semirings: what "or" (plus) and "and" (times) mean to a recursion over a forest. Semirings as in Goodman
// (1999): one recursion, many meanings of plus and times.
#pragma once

#include <algorithm>
#include <limits>

#include "tunesmith/base/softmax.h"

namespace tunesmith::forest {

inline constexpr double kLogZero = -std::numeric_limits<double>::infinity();

/// Sums of weights, as logs.
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

/// The most of a count that adds up along a derivation; the least, where counts are negated. Yields may be
/// exponentially long in the size of a forest: counts beyond kMost are all alike.
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

/// The number of derivations; exact up to 2^53.
struct CountSemiring {
  using Value = double;
  static Value zero() { return 0; }
  static Value one() { return 1; }
  static Value plus(Value a, Value b) { return a + b; }
  static Value times(Value a, Value b) { return a * b; }
};

}  // namespace tunesmith::forest
