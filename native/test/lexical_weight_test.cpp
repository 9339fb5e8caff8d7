#include "tunesmith/lexical_weight.h"

#include "check.h"
#include "tunesmith/discounts.h"
#include "tunesmith/reordering.h"

using namespace tunesmith;

namespace {

PhraseEvent event(LinkBits links, uint32_t fold, uint32_t count) { return {links, {}, fold, count}; }

}  // namespace

TEST(the_most_frequent_links_are_chosen) {
  const std::vector<PhraseEvent> events{event(0b0001, 0, 2), event(0b1000, 0, 1), event(0b1000, 1, 2)};
  CHECK(choose_links(events, 2, 2, -1).by_target == 0b1000);
  CHECK(choose_links(events, 2, 2, 1).by_target == 0b0001);
}

TEST(among_equally_frequent_links_each_side_takes_its_largest) {
  // Two words a side; bit = target * 2 + source. Links 0-1 against 1-0, once each.
  const std::vector<PhraseEvent> events{event(0b0010, 0, 1), event(0b0100, 0, 1)};
  const ChosenLinks chosen = choose_links(events, 2, 2, -1);
  CHECK(chosen.by_target == 0b0010);  // the first target word has source word 1, against none
  CHECK(chosen.by_source == 0b0100);  // the first source word has target word 1, against none
}

TEST(lexical_weights_average_over_links) {
  const std::vector<int32_t> sources{0, 0, 1, kNullWord}, targets{0, 1, 0, 2}, folds{0, 0, 0, 0};
  const std::vector<int64_t> counts{1, 3, 1, 1};
  const Lexicon lexicon(sources, targets, folds, counts, -1);
  const std::vector<int32_t> source{0, 1}, target{0, 2};
  // p(0|0) = 1/4, p(0|1) = 1, p(2|NULL) = 1.
  CHECK_NEAR(target_weight(source, target, 0b0011, lexicon), (0.25 + 1) / 2, 1e-12);
  // p(f=0|e=0) = 1/2, p(f=1|e=0) = 1/2.
  CHECK_NEAR(source_weight(source, target, 0b0011, lexicon), 0.25, 1e-12);
}

TEST(good_turing_and_kneser_ney_discount_rare_pairs) {
  CountsOfCounts counts;
  for (int i = 0; i < 100; ++i) counts.add(1);
  for (int i = 0; i < 30; ++i) counts.add(2);
  for (int i = 0; i < 10; ++i) counts.add(3);
  counts.add(50);
  CHECK_NEAR(Discounts(PhraseSmoothing::kGoodTuring, counts).adjusted(1, 1, 1), 2 * 30.1 / 100.1, 1e-12);
  CHECK(Discounts(PhraseSmoothing::kGoodTuring, counts).adjusted(50, 1, 1) == 50);
  const double y = 100.0 / 160;
  const double d1 = 1 - 2 * y * 30 / 100;
  CHECK_NEAR(Discounts(PhraseSmoothing::kKneserNey, counts).adjusted(1, 2, 3), 1 - d1 + d1 * 6 / 141, 1e-12);
  CHECK(Discounts(PhraseSmoothing::kNone, counts).adjusted(1, 2, 3) == 1);
}

TEST(classes_of_orientations_are_coarsenings) {
  OrientationSet set;
  set.set(OrientationModel::kHierarchical, Direction::kBackward, Orientation::kGlobal);
  set.set(OrientationModel::kHierarchical, Direction::kForward, Orientation::kLeft);
  OrientationCounts counts;
  counts.add({0, set, 0, 3});
  ReorderingModel model;
  float out[10];
  counts.probabilities(model, 0.5, out);
  CHECK_NEAR(out[0], 3.5 / 5, 1e-6);
  CHECK_NEAR(out[6], 3.5 / 5, 1e-6);
  model.classes = OrientationClasses::kFive;
  counts.probabilities(model, 0.5, out);
  CHECK_NEAR(out[4], 3.5 / 5.5, 1e-6);
  model.classes = OrientationClasses::kLeftRight;
  counts.probabilities(model, 0.5, out);
  CHECK_NEAR(out[0], 3.5 / 4, 1e-6);
  CHECK_NEAR(out[3], 3.5 / 4, 1e-6);
}
