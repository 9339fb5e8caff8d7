#include "tunesmith/align/jump_widths.h"

#include <cmath>
#include <random>

#include "check.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::align::jump_widths_test {

/// Jumps drawn from known widths, and the number of jumps from each position.
JumpCounts drawn(const JumpWidths& widths, size_t draws) {
  std::mt19937 random(4);
  JumpCounts counts;
  for (size_t k = 0; k < draws; ++k) {
    const size_t n = 1 + random() % 30;
    const auto r = static_cast<int64_t>(random() % n);
    const float* weights = widths.forward(-r);
    std::discrete_distribution<size_t> jump(weights, weights + n);
    ++counts.jumps[JumpWidths::jump_class(static_cast<int64_t>(jump(random)) - r)];
    ++counts.from[JumpCounts::context(n, static_cast<size_t>(r))];
    std::discrete_distribution<size_t> start(widths.start(), widths.start() + n);
    ++counts.starts[start(random)];
    ++counts.from_start[n];
  }
  return counts;
}

/// The objective of the M step, for jumps.
double objective(const JumpWidths& widths, const JumpCounts& counts) {
  double sum = 0;
  for (size_t c = 0; c < counts.jumps.size(); ++c)
    sum += static_cast<double>(counts.jumps[c]) * std::log(widths.weights()[c]);
  for (size_t n = 1; n <= kLongestHmm; ++n)
    for (size_t r = 0; r < n; ++r) {
      const auto first = -static_cast<int64_t>(r);
      sum -= static_cast<double>(counts.from[JumpCounts::context(n, r)]) *
             std::log(widths.sum(first, first + static_cast<int64_t>(n) - 1));
    }
  return sum;
}

std::vector<double> sloping_weights() {
  std::vector<double> weights;
  const int last = static_cast<int>(JumpWidths::kClasses) - 1;
  for (int c = -last; c <= last; ++c) weights.push_back(std::exp(-0.4 * std::abs(c - 1)));
  for (int c = 0; c <= last; ++c) weights.push_back(std::exp(-0.5 * c));
  return weights;
}

TEST(every_round_raises_the_objective_of_the_m_step) {
  const JumpCounts counts = drawn(JumpWidths(sloping_weights()), 3000);
  JumpWidths widths;
  double before = objective(widths, counts);
  for (int round = 0; round < 20; ++round) {
    widths = update_jumps(widths, counts, 1, 1);
    const double after = objective(widths, counts);
    CHECK(after >= before - 1e-4);  // weights are floats
    before = after;
  }
}

TEST(the_widths_of_sampled_jumps_are_recovered) {
  const JumpWidths truth(sloping_weights());
  const JumpWidths found = update_jumps(JumpWidths(), drawn(truth, 400000), 1, 100);
  for (int64_t width = -6; width <= 8; ++width) {
    const double ratio = static_cast<double>(*found.forward(width) / *found.forward(1)) /
                         static_cast<double>(*truth.forward(width) / *truth.forward(1));
    CHECK_NEAR(std::log(ratio), 0.0, 0.06);
  }
  for (size_t i = 1; i < 6; ++i)
    CHECK_NEAR(std::log(static_cast<double>(found.start()[i] / found.start()[0] / truth.start()[i] *
                                            truth.start()[0])),
               0.0, 0.06);
}

TEST(classes_cover_all_widths_and_bad_weights_are_refused) {
  CHECK(JumpWidths::class_of(0) == 0);
  CHECK(JumpWidths::class_of(10) == 10);
  CHECK(JumpWidths::class_of(11) == 11);
  CHECK(JumpWidths::class_of(50) == 13);
  CHECK(JumpWidths::class_of(255) == JumpWidths::kClasses - 1);
  CHECK_THROWS(JumpWidths(std::vector<double>(3, 1.0)), InputError);
  CHECK_THROWS(JumpWidths(std::vector<double>(44, 0.0)), InputError);
  CHECK_THROWS(JumpWidths(std::vector<double>(44, std::nan(""))), InputError);
}

}  // namespace tunesmith::align::jump_widths_test
