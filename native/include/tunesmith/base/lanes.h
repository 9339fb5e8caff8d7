// Reductions in four independent lanes, which hides the latency of dependent operations.
#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

namespace tunesmith {

/// The best value, where `choose` returns the better of two; `worst` if there are none.
template <class Choose>
double best_by_lanes(std::span<const double> values, double worst, Choose choose) {
  double lanes[4] = {worst, worst, worst, worst};
  size_t i = 0;
  for (; i + 4 <= values.size(); i += 4)
    for (size_t lane = 0; lane < 4; ++lane) lanes[lane] = choose(lanes[lane], values[i + lane]);
  for (; i < values.size(); ++i) lanes[0] = choose(lanes[0], values[i]);
  return choose(choose(lanes[0], lanes[1]), choose(lanes[2], lanes[3]));
}

/// The smallest value; plus infinity if there are none.
inline double minimum(std::span<const double> values) {
  return best_by_lanes(values, std::numeric_limits<double>::infinity(),
                       [](double a, double b) { return std::min(a, b); });
}

/// The largest value; minus infinity if there are none.
inline double maximum(std::span<const double> values) {
  return best_by_lanes(values, -std::numeric_limits<double>::infinity(),
                       [](double a, double b) { return std::max(a, b); });
}

}  // namespace tunesmith
