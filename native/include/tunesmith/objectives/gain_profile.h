// The corpus gain along a line, from the places where a sentence's winner changes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/matrix.h"
#include "tunesmith/metrics/scorer.h"

namespace tunesmith::objectives {

/// gains[i] holds between thresholds[i - 1] and thresholds[i]; the outermost ones reach to infinity.
struct Profile {
  std::vector<double> thresholds;
  std::vector<double> gains;
};

/// At the threshold one row of statistics takes the place of another.
struct GainEvent {
  double threshold;
  int64_t loser, winner;
};

/// The profile of statistics that are `base` before the first event. Events of one threshold count together.
/// O(events).
Profile gain_profile(MatrixView stats, const metrics::Scorer& scorer, std::vector<double>&& base,
                     std::span<const GainEvent> events);

}  // namespace tunesmith::objectives
