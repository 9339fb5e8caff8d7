// Configuration of lexicalized reordering models: classes of orientation, directions, conditioning.
#pragma once

#include <cstdint>

#include "tunesmith/tables/orientation.h"

namespace tunesmith::tables {

/// Sets of orientations, in the order of their columns: monotone and the rest; M S D; M S L R;
/// right (with monotone) and left (with swap); M S L R and global monotone.
enum class OrientationClasses : uint8_t { kMonotonicity, kMsd, kMslr, kLeftRight, kFive };

struct ReorderingModel {
  OrientationModel model = OrientationModel::kHierarchical;
  OrientationClasses classes = OrientationClasses::kMslr;
  bool backward = true;
  bool forward = true;
  bool given_target = true;  // conditioned on both phrases, else on the source phrase only
};

int class_count(OrientationClasses classes);
int class_of(OrientationClasses classes, Orientation orientation);

/// Number of columns of a model: its classes per direction, backward before forward.
int column_count(const ReorderingModel& model);

}  // namespace tunesmith::tables
