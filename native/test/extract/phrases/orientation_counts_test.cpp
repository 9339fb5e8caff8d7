#include "tunesmith/extract/phrases/orientation_counts.h"

#include "check.h"

namespace tunesmith::extract::phrases::orientation_counts_test {

TEST(classes_of_orientations_are_coarsenings) {
  tables::OrientationSet set;
  set.set(tables::OrientationModel::kHierarchical, tables::Direction::kBackward,
          tables::Orientation::kGlobal);
  set.set(tables::OrientationModel::kHierarchical, tables::Direction::kForward, tables::Orientation::kLeft);
  OrientationCounts counts;
  counts.add({0, set, 0, 3});
  tables::ReorderingModel model;
  float out[10];
  counts.probabilities(model, 0.5, 1, out);
  CHECK_NEAR(out[0], 3.5 / 5, 1e-6);
  CHECK_NEAR(out[6], 3.5 / 5, 1e-6);
  model.classes = tables::OrientationClasses::kFive;
  counts.probabilities(model, 0.5, 1, out);
  CHECK_NEAR(out[4], 3.5 / 5.5, 1e-6);
  model.classes = tables::OrientationClasses::kLeftRight;
  counts.probabilities(model, 0.5, 1, out);
  CHECK_NEAR(out[0], 3.5 / 4, 1e-6);
  CHECK_NEAR(out[3], 3.5 / 4, 1e-6);
}

TEST(only_the_five_way_set_distinguishes_global_from_moses_orientations) {
  const tables::Orientation both = tables::with_global(tables::Orientation::kRight);
  CHECK(tables::class_of(tables::OrientationClasses::kFive, both) == 4);
  CHECK(tables::class_of(tables::OrientationClasses::kFive, tables::Orientation::kRight) == 3);
  CHECK(tables::class_of(tables::OrientationClasses::kMslr, both) == 3);
  CHECK(tables::class_of(tables::OrientationClasses::kMsd, both) == 2);
  CHECK(tables::class_of(tables::OrientationClasses::kLeftRight, both) == 0);
}

}  // namespace tunesmith::extract::phrases::orientation_counts_test
