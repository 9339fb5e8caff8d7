#include "tunesmith/align/jump_counter.h"

#include <algorithm>
#include <cstring>

#include "tunesmith/base/wide.h"

namespace tunesmith::align {

namespace {

constexpr size_t kExact = JumpWidths::kExact, kWindow = 24, kReach = 56,
                 kDoubles = sizeof(WideDoubles) / sizeof(double);
static_assert(2 * kExact + 1 <= kWindow);
/// Ends of the intervals of far widths relative to r: -50, -25, -15, -10, 11, 16, 26, 51.
constexpr std::array<int, 8> kEnds = {-50, -25, -15, -10, 11, 16, 26, 51};
static_assert(kEnds.back() < static_cast<int>(kReach));

/// window[k] += sum_r from[r] * to[r + k].
TUNESMITH_WIDE void add_windows(const float* from, const float* to, size_t n, float* window) {
  WideFloats sums[kWindow / 8];
  std::memcpy(sums, window, sizeof sums);
  for (size_t r = 0; r < n; ++r)
    for (size_t v = 0; v < kWindow / 8; ++v) {
      WideFloats near;
      std::memcpy(&near, to + r + 8 * v, sizeof near);
      sums[v] += from[r] * near;
    }
  std::memcpy(window, sums, sizeof sums);
}

/// Returns sum_r from[r] * prefix[r], for n a multiple of kDoubles.
TUNESMITH_WIDE double dot(const double* from, const double* prefix, size_t n) {
  WideDoubles sums = {};
  for (size_t r = 0; r < n; r += kDoubles) {
    WideDoubles a, b;
    std::memcpy(&a, from + r, sizeof a);
    std::memcpy(&b, prefix + r, sizeof b);
    sums += a * b;
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

void JumpCounter::start(size_t n) {
  n_ = n;
  near_ = {};
  ends_ = {};
  all_ = 0;
  to_.assign(n + 2 * kWindow, 0);
  from_.assign((n + kDoubles - 1) / kDoubles * kDoubles, 0);
  prefix_.assign(n + 2 * kReach + kDoubles, 0);
}

void JumpCounter::add(const float* from, const float* to) {
  std::copy(to, to + n_, to_.begin() + kExact);
  add_windows(from, to_.data(), n_, near_.data());
  if (n_ <= kExact + 1) return;
  double* prefix = prefix_.data() + kReach;
  for (size_t i = 0; i < n_; ++i) {
    from_[i] = static_cast<double>(from[i]);
    prefix[i + 1] = prefix[i] + static_cast<double>(to[i]);
  }
  std::fill(prefix + n_ + 1, prefix_.data() + prefix_.size(), prefix[n_]);
  for (size_t e = 0; e < kEnds.size(); ++e) ends_[e] += dot(from_.data(), prefix + kEnds[e], from_.size());
  double sum = 0;
  for (size_t r = 0; r < n_; ++r) sum += from_[r];
  all_ += sum * prefix[n_];
}

void JumpCounter::add_to(std::vector<double>& totals, const JumpWidths& widths) const {
  const auto add = [&](size_t c, double sum) { totals[c] += std::max(sum, 0.0) * widths.weights()[c]; };
  constexpr size_t kMiddle = JumpWidths::kClasses - 1, kHalf = kEnds.size() / 2;
  for (size_t k = 0; k <= 2 * kExact; ++k) add(kMiddle - kExact + k, static_cast<double>(near_[k]));
  for (size_t e = 0; e < kHalf; ++e) {
    add(e, ends_[e] - (e == 0 ? 0 : ends_[e - 1]));
    add(kMiddle + kExact + 1 + e, (e + 1 == kHalf ? all_ : ends_[kHalf + e + 1]) - ends_[kHalf + e]);
  }
}

}  // namespace tunesmith::align
