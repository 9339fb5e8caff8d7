#include "tunesmith/align/jump_kernels.h"

#include <cmath>
#include <random>

#include "check.h"
#include "tunesmith/align/jump_counter.h"

namespace tunesmith::align::jump_kernels_test {

std::vector<float> drawn(std::mt19937& random, size_t n) {
  std::uniform_real_distribution<float> uniform(0, 1);
  std::vector<float> values(n);
  for (float& each : values) each = uniform(random);
  return values;
}

JumpWidths sloping() {
  std::vector<double> weights;
  for (int c = 0; c < 44; ++c) weights.push_back(1.0 / (1 + (c * 7) % 11));
  return JumpWidths(std::move(weights));
}

TEST(sums_and_maxima_over_jumps_are_those_of_the_definition) {
  std::mt19937 random(3);
  const JumpWidths widths = sloping();
  for (const size_t n : {1, 2, 7, 31, 32, 33, 65, 255, 256}) {
    const auto from = drawn(random, n);
    auto sums = drawn(random, n), best = drawn(random, n);
    std::vector<int32_t> back(n, -1);
    auto expected = sums, most = best;
    std::vector<int32_t> origins(n, -1);
    for (size_t r = 0; r < n; ++r)
      for (size_t i = 0; i < n; ++i) {
        const float reached = from[r] * *widths.forward(static_cast<int64_t>(i) - static_cast<int64_t>(r));
        expected[i] += reached;
        if (reached > most[i]) {
          most[i] = reached;
          origins[i] = static_cast<int32_t>(r);
        }
      }
    add_jumps(from.data(), widths.forward(0), sums.data(), n);
    best_jumps(from.data(), widths, best.data(), back.data(), n);
    CHECK(sums == expected);
    CHECK(best == most);
    CHECK(back == origins);
  }
}

TEST(positions_that_no_best_jump_comes_from_do_not_change_the_best_ones) {
  std::mt19937 random(5);
  const JumpWidths widths = sloping();
  for (const size_t n : {1, 9, 40, 256}) {
    auto from = drawn(random, n);
    for (float& each : from) each = std::pow(each, 12.0F);  // most are far below the largest
    std::vector<float> best(n, 0), most(n, 0);
    std::vector<int32_t> back(n, -1), origins(n, -1);
    for (size_t r = 0; r < n; ++r)
      for (size_t i = 0; i < n; ++i) {
        const float reached = from[r] * *widths.forward(static_cast<int64_t>(i) - static_cast<int64_t>(r));
        if (reached <= most[i]) continue;
        most[i] = reached;
        origins[i] = static_cast<int32_t>(r);
      }
    best_jumps(from.data(), widths, best.data(), back.data(), n);
    CHECK(best == most);
    CHECK(back == origins);
  }
}

TEST(a_word_stays_where_that_is_likelier_than_a_jump) {
  std::mt19937 random(6);
  for (const size_t n : {1, 7, 8, 9, 100}) {
    const auto before = drawn(random, n), emissions = drawn(random, n);
    auto jumped = drawn(random, n);
    std::vector<int32_t> back(n, 3), expected_back(n, 3);
    auto expected = jumped;
    float most = 0;
    for (size_t i = 0; i < n; ++i) {
      expected[i] *= 0.75F * emissions[i];
      if (0.5F * before[i] > expected[i]) {
        expected[i] = 0.5F * before[i];
        expected_back[i] = -2;
      }
      most = std::max(most, expected[i]);
    }
    CHECK(stay_or_jump(before.data(), 0.5F, -2, emissions.data(), 0.75F, jumped.data(), back.data(), n) ==
          most);
    CHECK(jumped == expected);
    CHECK(back == expected_back);
  }
}

TEST(jumps_are_counted_by_class_of_their_width) {
  std::mt19937 random(4);
  const JumpWidths widths = sloping();
  JumpCounter counter;
  for (const size_t n : {1, 11, 12, 13, 16, 17, 52, 60, 256}) {
    std::vector<double> expected(2 * JumpWidths::kClasses - 1), found(expected.size());
    counter.start(n);
    for (int round = 0; round < 2; ++round) {
      const auto from = drawn(random, n), to = drawn(random, n);
      counter.add(from.data(), to.data());
      for (size_t r = 0; r < n; ++r)
        for (size_t i = 0; i < n; ++i) {
          const size_t c = JumpWidths::jump_class(static_cast<int64_t>(i) - static_cast<int64_t>(r));
          expected[c] += static_cast<double>(from[r]) * static_cast<double>(to[i]) * widths.weights()[c];
        }
    }
    counter.add_to(found, widths);
    for (size_t c = 0; c < found.size(); ++c) CHECK_NEAR(found[c], expected[c], 1e-5 * (1 + expected[c]));
  }
}

}  // namespace tunesmith::align::jump_kernels_test
