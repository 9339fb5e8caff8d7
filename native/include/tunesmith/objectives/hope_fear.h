// Online large-margin learning on candidate lists: batch MIRA (Cherry and Foster 2012). The step is PA-I
// (Crammer et al. 2006).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/candidates/lists.h"
#include "tunesmith/metrics/scorer.h"

namespace tunesmith::objectives {

/// State of the learner between lists.
struct HopeFearState {
  std::vector<double> weights;
  /// Sum over updates t of t * change_t, so that the average over all t is weights - drift / steps.
  std::vector<double> drift;
  /// Decaying sum of the statistics of past hopes; a sentence is scored together with it.
  std::vector<double> background;
  int64_t steps = 0;
  int64_t updates = 0;
};

/// Bounds of the weights; frozen ones have lower == upper.
struct Box {
  std::span<const double> lower, upper;
};

/// Visits lists in the given order. With B(e) = gain(background + stats_e) * size(background + stats_e):
///   hope = argmax score + B,  fear = argmax score - B,
///   if B(hope) > B(fear) and loss = B(hope) - B(fear) - (score(hope) - score(fear)) > 0:
///     weights += min(C, loss / |d|^2) * d,  d = features(hope) - features(fear);
///   background = decay * background + stats(hope).
/// O(entries of the pool) per pass.
void hope_fear_pass(const candidates::CandidateLists& lists, const MatrixView& stats,
                    const metrics::Scorer& scorer, std::span<const int64_t> order, double aggressiveness,
                    double decay, const Box& box, HopeFearState& state);

}  // namespace tunesmith::objectives
