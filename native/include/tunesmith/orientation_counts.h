// Counts of orientations, and the probabilities that reordering models make of them.
#pragma once

#include <array>
#include <cstdint>

#include "tunesmith/phrase_counts.h"
#include "tunesmith/reordering.h"

namespace tunesmith {

/// How often each orientation was seen, in both directions of a model.
class OrientationCounts {
 public:
  void clear() { counts_ = {}; }
  void add(const PhraseEvent& event);
  void add(const OrientationCounts& other);
  /// Writes (count + smoothing) / (total + classes * smoothing), backward before forward.
  void probabilities(const ReorderingModel& model, double smoothing, float* out) const;

 private:
  static constexpr int kModels = 3, kDirections = 2;
  std::array<std::array<std::array<uint32_t, kOrientations>, kDirections>, kModels> counts_{};
};

}  // namespace tunesmith
