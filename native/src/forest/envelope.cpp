#include "tunesmith/forest/envelope.h"

#include <limits>

#include "tunesmith/base/lanes.h"

namespace tunesmith::forest {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

}  // namespace

void envelope_of_sorted(std::span<const Line> lines, std::vector<Segment>& segments) {
  thread_local std::vector<Line> stack;
  stack.clear();
  segments.clear();
  for (const Line& line : lines) {
    double from = -kInfinity;
    while (!stack.empty()) {
      from = (stack.back().intercept - line.intercept) / (line.slope - stack.back().slope);
      if (from > segments.back().from) break;
      stack.pop_back();
      segments.pop_back();
      from = -kInfinity;
    }
    if (from == kInfinity) continue;  // slopes too close to distinguish
    stack.push_back(line);
    segments.push_back({from, line.candidate});
  }
}

void envelope_by_walking(std::span<const double> slopes, std::span<const double> intercepts, int64_t first,
                         std::vector<Segment>& segments) {
  const size_t n = slopes.size();
  thread_local std::vector<double> crossings;
  crossings.resize(n);
  segments.clear();

  size_t winner = 0;  // towards minus infinity the smallest slope wins
  for (size_t i = 1; i < n; ++i)
    if (slopes[i] < slopes[winner] || (slopes[i] == slopes[winner] && intercepts[i] > intercepts[winner]))
      winner = i;
  segments.push_back({-kInfinity, first + static_cast<int64_t>(winner)});

  while (true) {
    // Where each steeper line overtakes the winner; the first to do so is the next winner.
    const double slope = slopes[winner], intercept = intercepts[winner];
    for (size_t i = 0; i < n; ++i) {
      const double rise = slopes[i] - slope;
      const double crossing = (intercept - intercepts[i]) / rise;
      crossings[i] = rise > 0 ? crossing : kInfinity;
    }
    const double from = minimum(crossings);
    if (!(from < kInfinity)) return;
    size_t next = n;
    for (size_t i = 0; i < n; ++i)
      if (crossings[i] == from && (next == n || slopes[i] > slopes[next])) next = i;
    if (from > segments.back().from)
      segments.push_back({from, first + static_cast<int64_t>(next)});
    else  // the last winner only touched the envelope
      segments.back().candidate = first + static_cast<int64_t>(next);
    winner = next;
  }
}

}  // namespace tunesmith::forest
