// Corpus gain along a line, from the thresholds at which a sentence's winner changes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/matrix.h"
#include "tunesmith/metrics/scorer.h"

namespace tunesmith::objectives {

/// The gain between thresholds[i - 1] and thresholds[i] is gains[i]; the first and last extend to infinity.
struct Profile {
  std::vector<double> thresholds;
  std::vector<double> gains;
};

/// At the threshold one row of statistics replaces another.
struct GainEvent {
  double threshold;
  int64_t loser, winner;
};

/// The profile of statistics that are `base` before the first event. Events of equal threshold are applied
/// together. O(events).
Profile gain_profile(MatrixView stats, const metrics::Scorer& scorer, std::vector<double>&& base,
                     std::span<const GainEvent> events);

}  // namespace tunesmith::objectives
