#include "tunesmith/reordering.h"

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
