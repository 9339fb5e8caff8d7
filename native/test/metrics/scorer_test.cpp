#include "tunesmith/metrics/scorer.h"

#include "check.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::metrics::scorer_test {

double gain(const Scorer& scorer, const std::vector<double>& stats) { return scorer.gain(stats.data()); }

TEST(bleu_is_a_geometric_mean_times_a_brevity_penalty) {
  const std::vector<double> stats = {3, 4, 1, 3, 5};
  const double mean = std::sqrt(3.0 / 4 * 1 / 3);
  CHECK_NEAR(gain(BleuScorer(2, BleuSmoothing::none, 0), stats), mean * std::exp(1 - 5.0 / 4), 1e-15);
}

TEST(smoothing_fills_orders_without_a_match) {
  const std::vector<double> stats = {2, 4, 0, 3, 0, 2, 4};
  const auto cube = [&](BleuSmoothing smoothing, double value) {
    return std::pow(gain(BleuScorer(3, smoothing, value), stats), 3);
  };
  CHECK(cube(BleuSmoothing::none, 0) == 0);
  CHECK_NEAR(cube(BleuSmoothing::exponential, 0), 0.5 * (0.5 / 3) * (0.25 / 2), 1e-15);
  CHECK_NEAR(cube(BleuSmoothing::floor, 0.1), 0.5 * (0.1 / 3) * (0.1 / 2), 1e-15);
  CHECK_NEAR(cube(BleuSmoothing::add, 1), 0.5 * (1.0 / 4) * (1.0 / 3), 1e-15);
}

TEST(the_effective_order_is_that_of_the_longest_ngrams_there_are) {
  const std::vector<double> stats = {2, 2, 0, 1, 0, 0, 2};
  const auto at = [&](BleuSmoothing smoothing, double value) {
    return gain(BleuScorer(3, smoothing, value, true), stats);
  };
  CHECK(gain(BleuScorer(3, BleuSmoothing::exponential, 0), stats) == 0);
  CHECK(at(BleuSmoothing::none, 0) == 0);
  CHECK(at(BleuSmoothing::floor, 0) == 0);
  CHECK_NEAR(at(BleuSmoothing::exponential, 0), std::sqrt(0.5), 1e-15);
  CHECK_NEAR(at(BleuSmoothing::floor, 0.25), 0.5, 1e-15);
  CHECK_NEAR(at(BleuSmoothing::add, 1), std::cbrt(0.5), 1e-15);  // smoothing makes an n-gram of each order
}

TEST(no_match_scores_zero_and_nan_propagates) {
  const std::vector<double> nothing = {0, 4, 0, 3, 4}, broken(5, std::nan(""));
  for (auto smoothing : {BleuSmoothing::none, BleuSmoothing::floor, BleuSmoothing::exponential}) {
    CHECK(gain(BleuScorer(2, smoothing, 0.1), nothing) == 0);
    CHECK(std::isnan(gain(BleuScorer(2, smoothing, 0.1), broken)));
  }
}

TEST(a_ratio_without_a_denominator_is_defined) {
  const RatioScorer error(-1);
  const std::vector<double> stats = {1, 4, 0, 0, 3, 0};
  std::vector<double> gains(3);
  error.gain(stats.data(), 3, gains.data());
  CHECK((gains == std::vector<double>{-0.25, 0, -1}));
}

TEST(a_sum_scores_each_part_with_its_own_statistics) {
  auto first = std::make_shared<RatioScorer>(1), second = std::make_shared<RatioScorer>(-1);
  const SumScorer sum(0.5, {{2, first}, {3, second}});
  const std::vector<double> stats = {1, 4, 1, 2, 2, 4, 0, 2};
  std::vector<double> gains(2);
  sum.gain(stats.data(), 2, gains.data());
  CHECK((gains == std::vector<double>{0.5 + 2 * 0.25 - 3 * 0.5, 0.5 + 2 * 0.5}));
  CHECK(sum.width() == 4);
  CHECK(sum.size(stats.data()) == 3);
  CHECK(SumScorer(0, {{1, second}, {1, first}}).size(stats.data()) == 3);
  CHECK_THROWS(SumScorer(0, {}), InputError);
}

}  // namespace tunesmith::metrics::scorer_test
