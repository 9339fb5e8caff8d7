#include "tunesmith/align/jump_widths.h"

#include <algorithm>
#include <cmath>

#include "tunesmith/align/jump_kernels.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::align {

namespace {

constexpr double kLeastWeight = 1e-5;  // relative to the mean: no jump is impossible
constexpr size_t kJumpClasses = 2 * JumpWidths::kClasses - 1;

/// Scales to a mean of 1 and raises values below kLeastWeight.
void normalize(double* begin, size_t size) {
  double sum = 0;
  for (size_t c = 0; c < size; ++c) sum += begin[c];
  const double mean = sum > 0 ? sum / static_cast<double>(size) : 1;
  for (size_t c = 0; c < size; ++c) begin[c] = sum > 0 ? std::max(begin[c] / mean, kLeastWeight) : 1;
}

}  // namespace

JumpWidths::JumpWidths() : JumpWidths(std::vector<double>(kJumpClasses + kClasses, 1.0)) {}

JumpWidths::JumpWidths(std::vector<double> weights) : weights_(std::move(weights)) {
  if (weights_.size() != kJumpClasses + kClasses)
    throw InputError("found " + std::to_string(weights_.size()) + " weights of jumps; expected " +
                     std::to_string(kJumpClasses + kClasses));
  for (const double each : weights_)
    if (!(each > 0 && std::isfinite(each))) throw InputError("the weight of a jump is not positive");
  const size_t widths = 2 * kLongestHmm + 1;
  forward_.resize(widths + kJumpSlack);
  backward_.resize(widths + kJumpSlack);
  sums_.resize(widths + 1);
  for (size_t k = 0; k < widths; ++k) {
    const double weight = weights_[jump_class(static_cast<int64_t>(k) - kMiddle)];
    forward_[k] = static_cast<float>(weight);
    backward_[widths - 1 - k] = forward_[k];
    sums_[k + 1] = sums_[k] + weight;
  }
  least_.resize(kLongestHmm + 1);
  most_.resize(kLongestHmm + 1);
  least_[1] = most_[1] = *forward(0);
  for (size_t n = 2; n <= kLongestHmm; ++n) {
    const auto [less, more] =
        std::minmax(*forward(static_cast<int64_t>(n) - 1), *backward(static_cast<int64_t>(n) - 1));
    least_[n] = std::min(least_[n - 1], less);
    most_[n] = std::max(most_[n - 1], more);
  }
  start_.resize(kLongestHmm);
  start_sums_.resize(kLongestHmm + 1);
  for (size_t i = 0; i < kLongestHmm; ++i) {
    const double weight = weights_[kJumpClasses + class_of(i)];
    start_[i] = static_cast<float>(weight);
    start_sums_[i + 1] = start_sums_[i] + weight;
  }
}

JumpWidths update_jumps(const JumpWidths& widths, const JumpCounts& counts, double unit, int rounds) {
  constexpr int64_t kMiddle = JumpWidths::kMiddle;
  std::vector<double> observed(kJumpClasses + JumpWidths::kClasses);
  for (size_t c = 0; c < kJumpClasses; ++c) observed[c] = static_cast<double>(counts.jumps[c]) * unit;
  for (size_t i = 0; i < counts.starts.size(); ++i)
    observed[kJumpClasses + JumpWidths::class_of(i)] += static_cast<double>(counts.starts[i]) * unit;

  JumpWidths current = widths;
  for (int round = 0; round < rounds; ++round) {
    // rates[d] becomes the sum of c / Z over the contexts that can jump by d; stored as differences first.
    std::vector<double> rates(2 * kLongestHmm + 2), start_rates(kLongestHmm + 1);
    for (size_t n = 1; n <= kLongestHmm; ++n) {
      for (size_t r = 0; r < n; ++r) {
        const int64_t count = counts.from[JumpCounts::context(n, r)];
        if (count == 0) continue;
        const int64_t first = -static_cast<int64_t>(r), last = static_cast<int64_t>(n - 1) + first;
        const double rate = static_cast<double>(count) * unit / current.sum(first, last);
        rates[static_cast<size_t>(kMiddle + first)] += rate;
        rates[static_cast<size_t>(kMiddle + last + 1)] -= rate;
      }
      const double rate = static_cast<double>(counts.from_start[n]) * unit / current.start_sum(n);
      start_rates[0] += rate;
      start_rates[n] -= rate;
    }
    std::vector<double> expected(observed.size());
    double rate = 0;
    for (size_t k = 0; k + 1 < rates.size(); ++k) {
      rate += rates[k];
      expected[JumpWidths::jump_class(static_cast<int64_t>(k) - kMiddle)] += std::max(rate, 0.0);
    }
    rate = 0;
    for (size_t i = 0; i < kLongestHmm; ++i) {
      rate += start_rates[i];
      expected[kJumpClasses + JumpWidths::class_of(i)] += std::max(rate, 0.0);
    }
    std::vector<double> weights(observed.size());
    for (size_t c = 0; c < weights.size(); ++c)
      weights[c] = expected[c] > 1e-9 ? observed[c] / expected[c] : 0;
    normalize(weights.data(), kJumpClasses);
    normalize(weights.data() + kJumpClasses, JumpWidths::kClasses);
    current = JumpWidths(std::move(weights));
  }
  return current;
}

}  // namespace tunesmith::align
