#include "tunesmith/objectives/pairwise.h"

#include <cmath>
#include <vector>

#include "check.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::objectives::pairwise_test {

TEST(pairs_stay_in_their_list_and_the_better_comes_first) {
  const std::vector<int64_t> lists{0, 4, 4, 5, 8};
  const std::vector<double> gains{0.1, 0.9, 0.5, 0.5, 0.3, 0.2, 0.2, 0.7};
  const Pairs pairs = sample_pairs(lists, gains, {1000, 20, 0.05, 1}, 2);
  CHECK(pairs.offsets.size() == 5);
  CHECK(pairs.offsets[1] == 20 && pairs.offsets[2] == 20 && pairs.offsets[3] == 20 && pairs.offsets[4] == 40);
  for (size_t i = 0; i < pairs.better.size(); ++i)
    CHECK(gains[pairs.better[i]] - gains[pairs.worse[i]] >= 0.05);
  PairwiseLogistic(pairs.offsets, pairs.better, pairs.worse).check(lists);
}

TEST(threads_do_not_change_what_is_drawn) {
  std::vector<int64_t> lists;
  std::vector<double> gains(1000);
  for (int64_t i = 0; i <= 1000; i += 10) lists.push_back(i);
  for (size_t i = 0; i < gains.size(); ++i) gains[i] = std::fmod(0.37 * static_cast<double>(i * i), 1.0);
  const Pairs one = sample_pairs(lists, gains, {100, 10, 0.05, 7}, 1);
  const Pairs four = sample_pairs(lists, gains, {100, 10, 0.05, 7}, 4);
  CHECK(one.better == four.better && one.worse == four.worse && one.offsets == four.offsets);
}

TEST(the_loss_of_a_pair_is_logistic_on_both_sides) {
  const std::vector<int64_t> offsets{0, 1}, better{0}, worse{1};
  const PairwiseLogistic loss(offsets, better, worse);
  std::vector<double> slopes(2);
  for (double margin : {-800.0, -1.5, 0.0, 1.5, 800.0}) {
    const std::vector<double> scores{margin, 0};
    const double expected = margin < -700 ? -margin : std::log1p(std::exp(-margin));
    CHECK_NEAR(loss.at(0, 0, scores, slopes), expected, 1e-12);
    CHECK_NEAR(slopes[1], 1 / (1 + std::exp(margin)), 1e-12);
    CHECK(slopes[0] == -slopes[1]);
  }
}

TEST(pairs_across_lists_are_refused) {
  const std::vector<int64_t> lists{0, 2, 4}, offsets{0, 1, 1}, better{0}, inside{1}, outside{2};
  PairwiseLogistic(offsets, better, inside).check(lists);
  CHECK_THROWS(PairwiseLogistic(offsets, better, outside).check(lists), InputError);
  const std::vector<double> gains(3);
  CHECK_THROWS(sample_pairs(lists, gains, {}, 1), InputError);
}

}  // namespace tunesmith::objectives::pairwise_test
