#include "tunesmith/extract/phrases/orientation_counts.h"

namespace tunesmith::extract::phrases {

void OrientationCounts::add(const PhraseEvent& event) {
  for (int model = 0; model < kModels; ++model)
    for (int direction = 0; direction < kDirections; ++direction) {
      const tables::Orientation orientation = event.orientations.get(
          static_cast<tables::OrientationModel>(model), static_cast<tables::Direction>(direction));
      counts_[model][direction][static_cast<size_t>(orientation)] += event.count;
    }
}

void OrientationCounts::add(const OrientationCounts& other) {
  for (int model = 0; model < kModels; ++model)
    for (int direction = 0; direction < kDirections; ++direction)
      for (int i = 0; i < tables::kOrientations; ++i)
        counts_[model][direction][i] += other.counts_[model][direction][i];
}

void OrientationCounts::probabilities(const tables::ReorderingModel& model, double smoothing, double unit,
                                      float* out) const {
  const int classes = tables::class_count(model.classes);
  for (int direction = 0; direction < kDirections; ++direction) {
    if (!(direction == 0 ? model.backward : model.forward)) continue;
    std::array<double, tables::kOrientations> sums{};
    double total = smoothing * classes;
    for (int i = 0; i < tables::kOrientations; ++i) {
      const double count =
          static_cast<double>(counts_[static_cast<size_t>(model.model)][direction][i]) / unit;
      sums[static_cast<size_t>(tables::class_of(model.classes, static_cast<tables::Orientation>(i)))] +=
          count;
      total += count;
    }
    for (int i = 0; i < classes; ++i) *out++ = static_cast<float>((sums[i] + smoothing) / total);
  }
}

}  // namespace tunesmith::extract::phrases
