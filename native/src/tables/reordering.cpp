#include "tunesmith/tables/reordering.h"

#include <array>

namespace tunesmith::tables {

namespace {

struct Classes {
  int count;
  std::array<int8_t, 4> of;  // monotone, swap, left, right
};

const Classes& table(OrientationClasses classes) {
  static constexpr Classes kTables[] = {
      {2, {0, 1, 1, 1}}, {3, {0, 1, 2, 2}}, {4, {0, 1, 2, 3}}, {2, {0, 1, 1, 0}}, {5, {0, 1, 2, 3}},
  };
  return kTables[static_cast<size_t>(classes)];
}

}  // namespace

int class_count(OrientationClasses classes) { return table(classes).count; }

int class_of(OrientationClasses classes, Orientation orientation) {
  if (classes == OrientationClasses::kFive && is_global(orientation)) return 4;
  return table(classes).of[static_cast<size_t>(without_global(orientation))];
}

int column_count(const ReorderingModel& model) {
  return class_count(model.classes) * ((model.backward ? 1 : 0) + (model.forward ? 1 : 0));
}

}  // namespace tunesmith::tables
