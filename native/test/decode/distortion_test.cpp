#include "tunesmith/decode/distortion.h"

#include "check.h"

namespace tunesmith::decode::distortion_test {

const corpus::WordLattice kInput = corpus::WordLattice::sentence("a b c d e f g h i j");

uint32_t early(uint32_t first_gap, uint32_t last_end, Range range) {
  return distortion_cost(DistortionCost::kEarly, kInput, first_gap, last_end, range);
}

TEST(jumps_cost_the_words_between_in_either_direction) {
  CHECK(distortion_cost(DistortionCost::kJump, kInput, 0, 0, {3, 5}) == 3);
  CHECK(distortion_cost(DistortionCost::kJump, kInput, 0, 5, {0, 2}) == 5);
  CHECK(distortion_cost(DistortionCost::kJump, kInput, 2, 2, {2, 4}) == 0);
}

TEST(early_costs_are_paid_when_words_are_skipped) {
  CHECK(early(0, 0, {0, 2}) == 0);            // at the first gap
  CHECK(early(0, 0, {3, 5}) == 2 * (3 + 2));  // skips three words and covers two
  CHECK(early(0, 5, {6, 7}) == 2 * (1 + 1));  // skips one more
  CHECK(early(0, 5, {5, 7}) == 2 * 2);        // adjacent to the last phrase
  CHECK(early(0, 7, {1, 3}) == 2 * 2);        // left of the last phrase: nothing new is skipped
  CHECK(early(2, 2, {4, 5}) == 2 * (2 + 1));  // the last phrase is part of the covered prefix
  CHECK(early(4, 1, {6, 7}) == 2 * (2 + 1));  // so is it if it filled a gap
  CHECK(early(1, 7, {1, 3}) == 0);            // back at the first gap
}

}  // namespace tunesmith::decode::distortion_test
