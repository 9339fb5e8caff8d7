#include "tunesmith/orientation_counts.h"

namespace tunesmith {

void OrientationCounts::add(const PhraseEvent& event) {
  for (int model = 0; model < kModels; ++model)
    for (int direction = 0; direction < kDirections; ++direction) {
      const Orientation orientation =
          event.orientations.get(static_cast<OrientationModel>(model), static_cast<Direction>(direction));
      counts_[model][direction][static_cast<size_t>(orientation)] += event.count;
    }
}

void OrientationCounts::add(const OrientationCounts& other) {
  for (int model = 0; model < kModels; ++model)
    for (int direction = 0; direction < kDirections; ++direction)
      for (int i = 0; i < kOrientations; ++i)
        counts_[model][direction][i] += other.counts_[model][direction][i];
}

void OrientationCounts::probabilities(const ReorderingModel& model, double smoothing, float* out) const {
  const int classes = class_count(model.classes);
  for (int direction = 0; direction < kDirections; ++direction) {
    if (!(direction == 0 ? model.backward : model.forward)) continue;
    std::array<double, kOrientations> sums{};
    double total = smoothing * classes;
    for (int i = 0; i < kOrientations; ++i) {
      const double count = counts_[static_cast<size_t>(model.model)][direction][i];
      sums[static_cast<size_t>(class_of(model.classes, static_cast<Orientation>(i)))] += count;
      total += count;
    }
    for (int i = 0; i < classes; ++i) *out++ = static_cast<float>((sums[i] + smoothing) / total);
  }
}

}  // namespace tunesmith
