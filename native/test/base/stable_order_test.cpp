#include "tunesmith/base/stable_order.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "check.h"

namespace tunesmith::stable_order_test {

TEST(the_order_equals_that_of_a_stable_sort) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal(0, 1e3);
  for (int round = 0; round < 200; ++round) {
    std::vector<double> keys;
    for (int i = 0; i < round; ++i)
      keys.push_back(round % 2 ? normal(random) : std::round(normal(random) / 300));
    for (double& key : keys)
      if (key == 0) key = 0;  // no -0, which the library distinguishes from 0
    std::vector<uint32_t> expected(keys.size());
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_sort(expected.begin(), expected.end(),
                     [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
    CHECK(stable_order(keys) == expected);
  }
}

TEST(infinities_and_tiny_numbers_are_ordered) {
  const double infinity = std::numeric_limits<double>::infinity();
  const double tiny = std::numeric_limits<double>::denorm_min();
  const std::vector<double> keys = {infinity, tiny, -1e300, 0, -infinity, -tiny};
  CHECK((stable_order(keys) == std::vector<uint32_t>{4, 2, 5, 3, 1, 0}));
}

}  // namespace tunesmith::stable_order_test
