#include "tunesmith/orientation_counts.h"

#include "check.h"

using namespace tunesmith;

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

TEST(only_the_five_way_set_tells_global_from_what_moses_says) {
  const Orientation both = with_global(Orientation::kRight);
  CHECK(class_of(OrientationClasses::kFive, both) == 4);
  CHECK(class_of(OrientationClasses::kFive, Orientation::kRight) == 3);
  CHECK(class_of(OrientationClasses::kMslr, both) == 3);
  CHECK(class_of(OrientationClasses::kMsd, both) == 2);
  CHECK(class_of(OrientationClasses::kLeftRight, both) == 0);
}
