#include "tunesmith/forest/envelope.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "check.h"

namespace tunesmith::forest::envelope_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Lines {
  std::vector<double> slopes, intercepts;
};

Lines random_lines(std::mt19937& random, size_t n, int grid) {
  std::uniform_int_distribution<int> draw(-grid, grid);
  Lines lines;
  for (size_t i = 0; i < n; ++i) {
    lines.slopes.push_back(draw(random) * 0.5);
    lines.intercepts.push_back(draw(random) * 0.25);
  }
  return lines;
}

/// The first of the highest lines at a point, by looking at all.
size_t winner_at(const Lines& lines, double gamma) {
  size_t best = 0;
  for (size_t i = 1; i < lines.slopes.size(); ++i)
    if (lines.intercepts[i] + gamma * lines.slopes[i] > lines.intercepts[best] + gamma * lines.slopes[best])
      best = i;
  return best;
}

void check_envelope(const Lines& lines, const std::vector<Segment>& segments, int64_t first) {
  CHECK(!segments.empty());
  CHECK(segments.front().from == -kInfinity);
  for (size_t i = 0; i < segments.size(); ++i) {
    const double from = segments[i].from, to = i + 1 < segments.size() ? segments[i + 1].from : kInfinity;
    CHECK(from < to);
    const double inside = from == -kInfinity ? (to == kInfinity ? 0 : to - 1)
                          : to == kInfinity  ? from + 1
                                             : (from + to) / 2;
    CHECK(segments[i].candidate - first == static_cast<int64_t>(winner_at(lines, inside)));
  }
}

TEST(walking_finds_the_winner_of_every_interval) {
  std::mt19937 random(7);
  std::vector<Segment> segments;
  for (int round = 0; round < 2000; ++round) {
    // A small grid makes parallel, identical and concurrent lines common.
    const Lines lines = random_lines(random, 1 + round % 12, 1 + round % 5);
    envelope_by_walking(lines.slopes, lines.intercepts, 100, segments);
    check_envelope(lines, segments, 100);
  }
}

TEST(the_sorted_envelope_equals_the_walk) {
  std::mt19937 random(8);
  std::vector<Segment> walked, sorted;
  std::normal_distribution<double> draw;
  for (int round = 0; round < 500; ++round) {
    std::vector<Line> lines;
    Lines plain;
    for (int i = 0; i < 40; ++i) {
      lines.push_back({draw(random), draw(random), i});
      plain.slopes.push_back(lines.back().slope);
      plain.intercepts.push_back(lines.back().intercept);
    }
    std::sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.slope < b.slope; });
    envelope_of_sorted(lines, sorted);
    envelope_by_walking(plain.slopes, plain.intercepts, 0, walked);
    CHECK(sorted.size() == walked.size());
    for (size_t i = 0; i < std::min(sorted.size(), walked.size()); ++i) {
      CHECK(sorted[i].candidate == walked[i].candidate);
      CHECK(sorted[i].from == walked[i].from || std::abs(sorted[i].from - walked[i].from) < 1e-9);
    }
  }
}

TEST(a_line_that_only_touches_the_envelope_is_left_out) {
  std::vector<Segment> segments;
  const std::vector<double> slopes = {-1, 0, 1}, intercepts = {0, 0, 0};
  envelope_by_walking(slopes, intercepts, 0, segments);
  CHECK(segments.size() == 2);
  CHECK(segments[1].candidate == 2);
  CHECK(segments[1].from == 0);
}

TEST(of_identical_lines_the_first_wins) {
  std::vector<Segment> segments;
  const std::vector<double> slopes = {1, 1, 1}, intercepts = {2, 2, 1};
  envelope_by_walking(slopes, intercepts, 0, segments);
  CHECK(segments.size() == 1);
  CHECK(segments[0].candidate == 0);
}

}  // namespace tunesmith::forest::envelope_test
