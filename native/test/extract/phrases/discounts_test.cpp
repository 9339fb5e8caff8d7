#include "tunesmith/extract/phrases/discounts.h"

#include "check.h"

namespace tunesmith::extract::phrases::discounts_test {

TEST(good_turing_and_kneser_ney_discount_rare_pairs) {
  CountsOfCounts counts;
  for (int i = 0; i < 100; ++i) counts.add(1);
  for (int i = 0; i < 30; ++i) counts.add(2);
  for (int i = 0; i < 10; ++i) counts.add(3);
  counts.add(50);
  CHECK_NEAR(PhraseDiscounts(PhraseSmoothing::kGoodTuring, counts).adjusted(1, 1, 1, 1), 2 * 30.1 / 100.1,
             1e-12);
  CHECK(PhraseDiscounts(PhraseSmoothing::kGoodTuring, counts).adjusted(50, 50, 1, 1) == 50);
  const double y = 100.0 / 160;
  const double d1 = 1 - 2 * y * 30 / 100;
  CHECK_NEAR(PhraseDiscounts(PhraseSmoothing::kKneserNey, counts).adjusted(1, 1, 2, 3), 1 - d1 + d1 * 6 / 141,
             1e-12);
  CHECK(PhraseDiscounts(PhraseSmoothing::kNone, counts).adjusted(1, 1, 2, 3) == 1);
  // Fractional counts are discounted like the next whole one, by at most themselves.
  CHECK_NEAR(PhraseDiscounts(PhraseSmoothing::kGoodTuring, counts).adjusted(0.5, 1, 1, 1), 30.1 / 100.1,
             1e-12);
  CHECK_NEAR(PhraseDiscounts(PhraseSmoothing::kKneserNey, counts).adjusted(0.25, 1, 2, 3), 0.25 * 6 / 141,
             1e-12);
}

}  // namespace tunesmith::extract::phrases::discounts_test
