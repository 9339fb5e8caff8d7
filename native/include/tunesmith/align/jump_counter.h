// Expected jumps of the alignment HMM by class of their width.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "tunesmith/align/jump_widths.h"

namespace tunesmith::align {

/// Sums from[r] * to[i] over all jumps from r to i of n positions, by class of the width i - r. Near widths
/// have classes of their own: sums over a window around r. The others are intervals of positions: differences
/// of prefix sums. O(n * classes) per call.
class JumpCounter {
 public:
  /// Prepares for sentences of n positions; sums start at 0.
  void start(size_t n);
  void add(const float* from, const float* to);
  /// Adds weights(class) times the sum of the class to `totals`.
  void add_to(std::vector<double>& totals, const JumpWidths& widths) const;

 private:
  size_t n_ = 0;
  std::array<float, 24> near_{};       // widths -kExact to kExact, and unused lanes
  std::array<double, 8> ends_{};       // sums of from[r] * (sum of to[i] over i < r + end), by end
  double all_ = 0;                     // sum of from[r] * (sum of to)
  std::vector<float> to_;              // kExact zeros, the values, zeros
  std::vector<double> from_, prefix_;  // prefix_[k + kReach] = sum of to[i] over i < k
};

}  // namespace tunesmith::align
