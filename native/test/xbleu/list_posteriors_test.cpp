#include "tunesmith/xbleu/list_posteriors.h"

#include "check.h"

namespace {

using namespace tunesmith::xbleu;

TEST(exp_is_that_of_the_library_down_to_the_smallest_numbers) {
  for (double x = 0; x > -700; x -= 0.0137) {
    const double expected = std::exp(x);
    CHECK_NEAR(exp_of_negative(x) / expected, 1, 2e-13);
  }
  CHECK(exp_of_negative(0) == 1);
  CHECK(exp_of_negative(-1e6) <= 1e-300);
  CHECK(exp_of_negative(-1e300) >= 0);
}

TEST(gathered_sums_take_every_index_once) {
  const std::vector<float> values = {1, 2, 4, 8, 16, 32, 64};
  const std::vector<uint16_t> indices = {6, 0, 3, 3, 5, 1, 2};
  const double all[] = {0, 64, 65, 73, 81, 113, 115, 119};
  for (size_t count = 0; count <= indices.size(); ++count)
    CHECK(gathered_sum(values.data(), indices.data(), count) == all[count]);
}

}  // namespace
