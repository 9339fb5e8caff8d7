#include "tunesmith/optimizers/descent.h"

#include <cmath>
#include <limits>
#include <vector>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/objectives/expected_gain.h"

namespace tunesmith::optimizers::descent_test {

constexpr double kFar = std::numeric_limits<double>::infinity();

/// Two lists of two candidates; feature 0 fires in the first list, feature 1 in the second, 2 in none.
struct Toy {
  std::vector<int64_t> offsets{0, 1, 1, 2, 2};
  std::vector<int32_t> columns{0, 1};
  std::vector<double> values{1.0, 1.0};
  std::vector<int64_t> lists{0, 2, 4};
  std::vector<double> gains{1, 0, 0, 1};
  std::vector<double> lower = std::vector<double>(3, -kFar), upper = std::vector<double>(3, kFar);
  std::vector<uint8_t> free = std::vector<uint8_t>(3, 1);
  std::vector<int64_t> order{0, 1};
  std::vector<double> rates{0.4, 0.4};

  DescentState run(double l1, double l2, std::vector<double> weights, std::vector<double> squares = {}) {
    DescentState state{std::move(weights), std::move(squares), {}};
    descend({lists, {offsets, columns, values, 3}}, objectives::ExpectedGain(gains, 1), {order, 1, rates, 1},
            {lower, upper, free, l1, l2}, state);
    return state;
  }
};

TEST(weights_follow_the_lists_in_which_their_features_fire) {
  const DescentState state = Toy().run(0, 0, {0, 0, 7});
  CHECK_NEAR(state.weights[0], 0.4 * 0.25, 1e-15);
  CHECK_NEAR(state.weights[1], -0.4 * 0.25, 1e-15);
  CHECK(state.weights[2] == 7);
}

TEST(a_weight_whose_feature_never_fires_shrinks_all_the_same) {
  const DescentState state = Toy().run(0.5, 2.0, {0, 0, 7});
  double expected = 7;
  for (int step = 0; step < 2; ++step) expected = (expected - 0.4 * 0.5) / (1 + 0.4 * 2.0);
  CHECK_NEAR(state.weights[2], expected, 1e-14);
  CHECK(Toy().run(20, 0, {0, 0, 7}).weights[2] == 0);
}

TEST(bounds_and_frozen_weights_hold) {
  Toy toy;
  toy.upper[0] = 0.05;
  toy.lower[2] = 6.5;
  toy.free[1] = 0;
  const DescentState state = toy.run(1, 1, {0, 3, 7});
  CHECK(state.weights[0] <= 0.05);
  CHECK(state.weights[1] == 3);
  CHECK(state.weights[2] == 6.5);
}

TEST(squared_gradients_scale_the_rates) {
  const DescentState state = Toy().run(0, 0, {0, 0, 7}, {0, 1, 0});
  CHECK_NEAR(state.weights[0], 0.4, 1e-15);
  CHECK_NEAR(state.weights[1], -0.4 * 0.25 / std::sqrt(1 + 0.0625), 1e-15);
  CHECK_NEAR(state.squares[1], 1.0625, 1e-15);
}

TEST(arrays_that_do_not_fit_are_refused) {
  Toy toy;
  CHECK_THROWS(toy.run(0, 0, {0, 0}), InputError);
  CHECK_THROWS(toy.run(0, 0, {0, 0, 0}, {1}), InputError);
  toy.rates[1] = 0.2;
  CHECK_THROWS(toy.run(0, 0, {0, 0, 0}, {1, 1, 1}), InputError);
  toy.rates.pop_back();
  CHECK_THROWS(toy.run(0, 0, {0, 0, 0}), InputError);
  toy.order = {0, 2};
  CHECK_THROWS(toy.run(0, 0, {0, 0, 0}), InputError);
}

}  // namespace tunesmith::optimizers::descent_test
