// The upper envelope of lines: which candidate wins where along a direction of search.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith::forest {

/// A candidate's score along a direction: intercept + gamma * slope.
struct Line {
  double slope;
  double intercept;
  int64_t candidate;
};

/// A candidate wins from `from` to the `from` of the next segment.
struct Segment {
  double from;
  int64_t candidate;
};

// Both functions write the segments of the maximum, the first from minus infinity on. Thresholds
// rise strictly: a line that only touches the envelope in a point is left out. Of parallel lines
// the highest counts, and of identical ones the lowest candidate, which is the one that reranking
// picks.

/// For lines of strictly rising slope: one pass with a stack, O(lines).
void envelope_of_sorted(std::span<const Line> lines, std::vector<Segment>& segments);

/// For lines in any order, candidate i having slopes[i] and intercepts[i]; candidates count from
/// `first`. Walks from winner to winner, O(lines * winners): envelopes of real lists have few
/// winners, so this is several times faster than sorting.
void envelope_by_walking(std::span<const double> slopes, std::span<const double> intercepts, int64_t first,
                         std::vector<Segment>& segments);

}  // namespace tunesmith::forest
