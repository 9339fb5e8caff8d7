#include "tunesmith/objectives/gain_profile.h"

#include "tunesmith/base/stable_order.h"

namespace tunesmith::objectives {

Profile gain_profile(MatrixView stats, const metrics::Scorer& scorer, std::vector<double>&& base,
                     std::span<const GainEvent> events) {
  std::vector<double> thresholds;
  thresholds.reserve(events.size());
  for (const GainEvent& event : events) thresholds.push_back(event.threshold + 0.0);  // no -0
  // Stable by list if thresholds are equal: their changes are always summed in the same order.
  const std::vector<uint32_t> order = stable_order(thresholds);
  const size_t width = stats.width;
  Profile result;
  std::vector<double> sums(base);
  sums.reserve((events.size() + 1) * width);
  for (size_t i = 0; i < order.size();) {
    const double threshold = thresholds[order[i]];
    for (; i < order.size() && thresholds[order[i]] == threshold; ++i) {
      const double* loser = stats.row(events[order[i]].loser);
      const double* winner = stats.row(events[order[i]].winner);
      for (size_t s = 0; s < width; ++s) base[s] += winner[s] - loser[s];
    }
    result.thresholds.push_back(threshold);
    sums.insert(sums.end(), base.begin(), base.end());
  }
  result.gains.resize(result.thresholds.size() + 1);
  scorer.gain(sums.data(), result.gains.size(), result.gains.data());
  return result;
}

}  // namespace tunesmith::objectives
