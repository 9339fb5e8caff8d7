#include "tunesmith/extract/phrases/leave_one_out.h"

#include "check.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::extract::phrases::leave_one_out_test {

// The words 7 8 7 aligned with 1 2 1: the pair 7-1 occurs twice.
const std::vector<int32_t> kSource{7, 8, 7}, kTarget{1, 2, 1};

LeaveOneOut options() { return {{{0, 0}, {1, 1}, {2, 2}}, 7, -2.0F, true, 0, 2}; }

tables::ScoredPhrase counted(float target, float source, float joint) {
  tables::ScoredPhrase pair;
  pair.target_count = target;
  pair.source_count = source;
  pair.joint_count = joint;
  return pair;
}

TEST(own_counts_are_taken_out) {
  const LeaveOneOut given = options();
  const OwnCounts own(kSource, kTarget, given);
  std::vector<float> scores{0.5F, 0.25F, 0.5F, 0.125F};
  own.revise(std::span(kSource).first(1), std::span(kTarget).first(1), counted(10, 6, 5), scores);
  CHECK_NEAR(scores[0], 3.0 / 8, 1e-6);
  CHECK_NEAR(scores[2], 3.0 / 4, 1e-6);
  CHECK(scores[1] == 0.25F);
  CHECK(scores[3] == 0.125F);
}

TEST(a_pair_of_this_sentence_only_has_a_fixed_probability) {
  LeaveOneOut given = options();
  std::vector<float> scores(4, 1.0F);
  OwnCounts(kSource, kTarget, given).revise(kSource, kTarget, counted(1, 1, 1), scores);
  CHECK_NEAR(std::log(scores[0]), -12, 1e-4);
  CHECK(scores[0] == scores[2]);
  given.by_length = false;
  OwnCounts(kSource, kTarget, given).revise(kSource, kTarget, counted(1, 1, 1), scores);
  CHECK_NEAR(std::log(scores[0]), -2, 1e-5);
}

TEST(bad_links_counts_and_columns_are_refused) {
  LeaveOneOut given = options();
  std::vector<float> scores(4, 1.0F);
  const OwnCounts own(kSource, kTarget, given);
  CHECK_THROWS(own.revise(kSource, kTarget, counted(0, 0, 0), scores), InputError);
  CHECK_THROWS(own.revise(kSource, kTarget, counted(1, 1, 1), std::span(scores).first(2)), InputError);
  given.alignment = {{3, 0}};
  CHECK_THROWS(OwnCounts(kSource, kTarget, given), InputError);
}

TEST(a_sentence_pair_that_was_not_counted_is_refused) {
  const LeaveOneOut given = options();
  const OwnCounts own(kSource, kTarget, given);
  std::vector<float> scores(4, 1.0F);
  const auto f = std::span(kSource).first(1), e = std::span(kTarget).first(1);
  own.revise(f, e, counted(2, 2, 2), scores);
  CHECK_THROWS(own.revise(f, e, counted(5, 5, 1), scores), InputError);  // it has the pair twice
  // The words 7 were counted as 2 only, but here they are 1.
  CHECK_THROWS(own.revise(f, std::span(kTarget).subspan(1, 1), counted(9, 4, 4), scores), InputError);
}

}  // namespace tunesmith::extract::phrases::leave_one_out_test
