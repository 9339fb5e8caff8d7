// Orientation counts and the smoothed probabilities of lexicalized reordering models.
#pragma once

#include <array>
#include <cstdint>

#include "tunesmith/extract/phrases/counts.h"
#include "tunesmith/tables/reordering.h"

namespace tunesmith::extract::phrases {

/// Counts of each orientation, by model and direction.
class OrientationCounts {
 public:
  void clear() { counts_ = {}; }
  void add(const PhraseEvent& event);
  void add(const OrientationCounts& other);
  /// Writes (count + smoothing) / (total + classes * smoothing), backward before forward, with counts divided
  /// by `unit`.
  void probabilities(const tables::ReorderingModel& model, double smoothing, double unit, float* out) const;

 private:
  static constexpr int kModels = 3, kDirections = 2;
  std::array<std::array<std::array<uint64_t, tables::kOrientations>, kDirections>, kModels> counts_{};
};

}  // namespace tunesmith::extract::phrases
