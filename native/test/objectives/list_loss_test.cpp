#include "tunesmith/objectives/list_loss.h"

#include <cmath>
#include <vector>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/objectives/best_likelihood.h"
#include "tunesmith/objectives/expected_gain.h"
#include "tunesmith/objectives/plackett_luce.h"

namespace tunesmith::objectives::list_loss_test {

/// Three lists of 3, 0 and 2 candidates with three features; the fourth candidate has none.
struct Toy {
  std::vector<int64_t> offsets{0, 2, 3, 5, 5, 6};
  std::vector<int32_t> columns{0, 2, 1, 0, 1, 2};
  std::vector<double> values{1.0, -2.0, 0.5, 3.0, 1.0, 2.0};
  std::vector<int64_t> lists{0, 3, 3, 5};
  std::vector<double> weights{0.3, -0.7, 0.2};

  candidates::CandidateLists view() const { return {lists, {offsets, columns, values, 3}}; }
};

double loss_at(const Toy& toy, const ListLoss& loss, std::vector<double> weights) {
  return list_loss(toy.view(), loss, weights, 1, {});
}

void check_gradient(const ListLoss& loss) {
  const Toy toy;
  std::vector<double> gradient(3);
  loss.check(toy.lists);
  const double value = list_loss(toy.view(), loss, toy.weights, 2, gradient);
  CHECK(value == loss_at(toy, loss, toy.weights));
  for (size_t i = 0; i < 3; ++i) {
    auto up = toy.weights, down = toy.weights;
    up[i] += 1e-6;
    down[i] -= 1e-6;
    CHECK_NEAR(gradient[i], (loss_at(toy, loss, up) - loss_at(toy, loss, down)) / 2e-6, 1e-8);
  }
}

const std::vector<double> kGains{0.2, 0.9, 0.5, 0.4, 0.4};
const std::vector<int64_t> kRankedOffsets{0, 2, 2, 4};
const std::vector<int64_t> kRanked{1, 2, 4, 3};

TEST(gradients_of_all_losses_are_limits_of_differences) {
  check_gradient(PlackettLuce(kRankedOffsets, kRanked));
  check_gradient(ExpectedGain(kGains, 1.7));
  check_gradient(BestLikelihood(kGains));
}

TEST(a_ranking_of_two_is_a_logistic_loss) {
  const std::vector<int64_t> offsets{0, 1}, ranked{1};
  std::vector<double> scores{0.4, 1.5}, slopes(2);
  const double loss = PlackettLuce(offsets, ranked).at(0, 0, scores, slopes);
  CHECK_NEAR(loss, std::log1p(std::exp(0.4 - 1.5)), 1e-15);
  CHECK_NEAR(slopes[0], 1 / (1 + std::exp(1.1)), 1e-15);
  CHECK_NEAR(slopes[0] + slopes[1], 0, 1e-15);
}

TEST(far_scores_do_not_overflow) {
  const std::vector<int64_t> offsets{0, 2}, ranked{0, 2};
  const std::vector<double> gains{1, 0, 0.5};
  std::vector<double> scores{-2000, 3000, 0}, slopes(3);
  const double loss = PlackettLuce(offsets, ranked).at(0, 0, scores, slopes);
  CHECK_NEAR(loss, 5000 + 3000, 1e-9);
  CHECK_NEAR(slopes[1], 2, 1e-12);
  CHECK_NEAR(BestLikelihood(gains).at(0, 0, scores, slopes), 5000, 1e-9);
  CHECK_NEAR(ExpectedGain(gains, 10).at(0, 0, scores, slopes), 0, 1e-12);
  for (double slope : slopes) CHECK(std::isfinite(slope));
}

TEST(losses_of_other_lists_are_refused) {
  const std::vector<int64_t> lists{0, 3, 3, 5}, fewer{0, 5};
  CHECK_THROWS(PlackettLuce(kRankedOffsets, kRanked).check(fewer), InputError);
  const std::vector<int64_t> outside{1, 2, 4, 5}, twice{1, 1, 4, 3};
  CHECK_THROWS(PlackettLuce(kRankedOffsets, outside).check(lists), InputError);
  CHECK_THROWS(PlackettLuce(kRankedOffsets, twice).check(lists), InputError);
  const std::vector<double> gains(4);
  CHECK_THROWS(ExpectedGain(gains, 1).check(lists), InputError);
  CHECK_THROWS(BestLikelihood(gains).check(lists), InputError);
}

TEST(expected_statistics_are_sums_of_expectations) {
  const Toy toy;
  const std::vector<double> stats{1, 0, 0, 1, 1, 1, 2, 0, 0, 2}, flat(3);
  std::vector<double> out(2);
  expected_stats(toy.view(), flat, 1.0, {stats, 2}, 2, out);
  CHECK_NEAR(out[0], 2.0 / 3 + 1, 1e-15);
  CHECK_NEAR(out[1], 2.0 / 3 + 1, 1e-15);
}

}  // namespace tunesmith::objectives::list_loss_test
