// Jump distribution of the alignment HMM: classes of widths, normalized over the positions of the sentence.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tunesmith::align {

/// Length limit of sentences for the HMM, whose time is quadratic in the length.
constexpr size_t kLongestHmm = 256;

/// p(i | r, n) = s(i - r) / sum_{k<n} s(k - r) for a jump from position r to i of n, and p(i | start, n) =
/// s0(i) / sum_{k<n} s0(k) for the first position. Widths up to 10 have one class each, larger ones share
/// classes; s is constant within a class.
class JumpWidths {
 public:
  static constexpr size_t kClasses = 15;  // widths 0, 1, ..., 10, 11-15, 16-25, 26-50, more
  static constexpr size_t kExact = 10;
  static size_t class_of(size_t width) { return kClassOf[width < kFar ? width : kFar]; }
  /// Number of a jump's class among the weights: from the farthest backward to the farthest forward.
  static size_t jump_class(int64_t width) {
    const size_t far = class_of(static_cast<size_t>(width < 0 ? -width : width));
    return width < 0 ? kClasses - 1 - far : kClasses - 1 + far;
  }

  /// Uniform.
  JumpWidths();
  /// 2 * kClasses - 1 weights of jumps, from the farthest backward to the farthest forward, then kClasses
  /// weights of starts. Throws InputError unless they are positive.
  explicit JumpWidths(std::vector<double> weights);

  const std::vector<double>& weights() const { return weights_; }
  /// s(width); forward(-256) to forward(256 + kJumpSlack) are contiguous, and so is backward(w) = s(-w).
  const float* forward(int64_t width) const { return forward_.data() + kMiddle + width; }
  const float* backward(int64_t width) const { return backward_.data() + kMiddle + width; }
  const float* start() const { return start_.data(); }
  /// The least and the largest s(width) of jumps between n positions, as floats.
  float least(size_t n) const { return least_[n]; }
  float most(size_t n) const { return most_[n]; }
  /// Sum of s over widths [first, last]; start_sum: sum of s0 over the first n positions.
  double sum(int64_t first, int64_t last) const {
    return sums_[static_cast<size_t>(kMiddle + last + 1)] - sums_[static_cast<size_t>(kMiddle + first)];
  }
  double start_sum(size_t n) const { return start_sums_[n]; }

  static constexpr int64_t kMiddle = kLongestHmm;

 private:
  static constexpr size_t kFar = 51;  // the first width of the last class
  static constexpr std::array<uint8_t, kFar + 1> kClassOf = [] {
    std::array<uint8_t, kFar + 1> classes{};
    for (size_t width = 0; width <= kFar; ++width)
      classes[width] = static_cast<uint8_t>(
          width <= kExact ? width : kExact + 1 + (width > 15) + (width > 25) + (width > 50));
    return classes;
  }();

  std::vector<double> weights_, sums_, start_sums_;
  std::vector<float> forward_, backward_, start_, least_, most_;
};

/// Expected jumps in fixed point: `jumps` by class of the width, `starts` by position, and, for the
/// normalizers, the number of jumps `from` position r of n and `from_start` with n positions.
struct JumpCounts {
  std::vector<int64_t> jumps = std::vector<int64_t>(2 * JumpWidths::kClasses - 1);
  std::vector<int64_t> starts = std::vector<int64_t>(kLongestHmm);
  std::vector<int64_t> from = std::vector<int64_t>(kLongestHmm * (kLongestHmm + 1) / 2);
  std::vector<int64_t> from_start = std::vector<int64_t>(kLongestHmm + 1);

  static size_t context(size_t n, size_t r) { return n * (n - 1) / 2 + r; }
};

/// The M step of the widths. The maximum of sum_d c_d log s_d - sum_(n,r) c_(n,r) log sum_k s(k - r) has no
/// closed form; each round of the minorization-maximization of Hunter (2004) increases it: s_c = c_c /
/// sum_(n,r) c_(n,r) |widths of c| / Z_(n,r). O(contexts + widths) per round.
JumpWidths update_jumps(const JumpWidths& widths, const JumpCounts& counts, double unit, int rounds);

}  // namespace tunesmith::align
