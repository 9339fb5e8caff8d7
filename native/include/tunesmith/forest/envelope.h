// Upper envelope of lines: which candidate has the highest score where along a search direction (Och 2003).
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

// Both functions write the segments of the maximum, the first starting at minus infinity. Thresholds are
// strictly increasing: a line that only touches the envelope in a point is left out. Of parallel lines the
// highest counts, and of identical ones the lowest candidate, which is the one that reranking chooses.

/// For lines of strictly increasing slope: one pass with a stack, O(lines).
void envelope_of_sorted(std::span<const Line> lines, std::vector<Segment>& segments);

/// For lines in any order: slopes[i] and intercepts[i] belong to candidate `first` + i. Walks from winner to
/// winner, O(lines * winners): real lists have few winners, so this is several times faster than sorting.
void envelope_by_walking(std::span<const double> slopes, std::span<const double> intercepts, int64_t first,
                         std::vector<Segment>& segments);

}  // namespace tunesmith::forest
