#include "tunesmith/forest/hull.h"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/splitmix.h"
#include "tunesmith/forest/derivation.h"
#include "tunesmith/forest/envelope.h"
#include "tunesmith/forest/inside_outside.h"

namespace tunesmith::forest::hull_test {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// The lines of all derivations, one by one.
struct AllLines {
  using Value = std::vector<Line>;
  static Value zero() { return {}; }
  static Value plus(Value a, const Value& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  }
  static Value times(const Value& a, const Value& b) {
    Value result;
    for (const Line& one : a)
      for (const Line& other : b)
        result.push_back({one.slope + other.slope, one.intercept + other.intercept, 0});
    return result;
  }
};

/// Up to five nodes of up to three edges of up to three tails, any of those before, also the same twice.
Forest random_forest(SplitMix& random) {
  ForestArrays arrays;
  auto names = std::make_shared<ForestNames>();
  for (const char* word : {"a", "b", "c"}) names->words.add(word);
  for (uint32_t node = 0, nodes = 1 + random.below(5); node < nodes; ++node) {
    for (uint32_t edges = 1 + random.below(3); edges > 0; --edges) {
      for (uint32_t tails = node == 0 ? 0 : random.below(3), i = 0; i < tails; ++i) {
        arrays.tails.values.push_back(random.below(node));
        arrays.rules.targets.values.push_back(grammar::gap_symbol(tails - 1 - i));
      }
      arrays.tails.close();
      arrays.rules.targets.values.push_back(static_cast<grammar::Symbol>(random.below(3)));
      arrays.rules.targets.close();
      arrays.rules.sources.close();
      arrays.rules.links.close();
      arrays.rules.features.close();
      arrays.rules.ids.push_back(-1);
      arrays.edge_rules.push_back(static_cast<uint32_t>(arrays.edge_rules.size()));
      arrays.spans.push_back({});
      arrays.features.close();
    }
    arrays.edge_offsets.push_back(static_cast<uint32_t>(arrays.edge_rules.size()));
  }
  return {std::move(arrays), names};
}

/// Quarters, which tie often and whose sums are exact.
std::vector<double> quarters(SplitMix& random, size_t n) {
  std::vector<double> result;
  for (size_t i = 0; i < n; ++i) result.push_back((static_cast<double>(random.below(25)) - 12) / 4);
  return result;
}

TEST(the_envelope_of_a_forest_is_that_of_all_its_derivations) {
  SplitMix random(5, 0);
  ForestEnvelope found;  // reused: nothing of a forest may remain
  std::vector<Segment> expected;
  size_t compared = 0;
  for (int round = 0; round < 3000; ++round) {
    const Forest forest = random_forest(random);
    const auto scores = quarters(random, forest.edge_count()), slopes = quarters(random, forest.edge_count());
    const auto lines = inside<AllLines>(
        forest, [&](uint32_t edge) { return AllLines::Value{{slopes[edge], scores[edge], 0}}; });
    if (lines.back().size() > 2000) continue;
    std::vector<double> all_slopes, all_scores;
    for (const Line& line : lines.back()) {
      all_slopes.push_back(line.slope);
      all_scores.push_back(line.intercept);
    }
    envelope_by_walking(all_slopes, all_scores, 0, expected);
    found.find(forest, scores, slopes);
    CHECK(found.size() == expected.size());
    for (size_t i = 0; i < std::min(found.size(), expected.size()); ++i) {
      const auto winner = static_cast<size_t>(expected[i].candidate);
      CHECK(found.slope(i) == all_slopes[winner]);
      CHECK(found.intercept(i) == all_scores[winner]);
      CHECK(found.from(i) == expected[i].from);
      ++compared;
    }
  }
  CHECK(compared > 5000);
}

TEST(a_part_of_the_line_has_the_winners_of_the_whole_line) {
  SplitMix random(8, 0);
  ForestEnvelope whole, part;
  size_t compared = 0;
  for (int round = 0; round < 3000; ++round) {
    const Forest forest = random_forest(random);
    const auto scores = quarters(random, forest.edge_count()), slopes = quarters(random, forest.edge_count());
    const double low = (static_cast<double>(random.below(17)) - 8) / 4;
    const LineRange range{low, low + static_cast<double>(1 + random.below(8)) / 4};
    whole.find(forest, scores, slopes);
    part.find(forest, scores, slopes, range);
    size_t first = 0;
    while (first + 1 < whole.size() && whole.from(first + 1) <= range.low) ++first;
    for (size_t i = 0; i < part.size(); ++i, ++compared) {
      CHECK(part.slope(i) == whole.slope(first + i));
      CHECK(part.intercept(i) == whole.intercept(first + i));
      CHECK(part.from(i) == (i == 0 ? range.low : whole.from(first + i)));
    }
    const size_t next = first + part.size();
    CHECK(next == whole.size() || whole.from(next) >= range.high);
  }
  CHECK(compared > 3000);
}

TEST(fingerprints_of_winners_are_those_of_their_words) {
  SplitMix random(6, 0);
  ForestEnvelope found;
  std::vector<YieldHash> yields;
  for (int round = 0; round < 500; ++round) {
    const Forest forest = random_forest(random);
    found.find(forest, quarters(random, forest.edge_count()), quarters(random, forest.edge_count()));
    found.yields(forest, yields);
    CHECK(yields.size() == found.size());
    for (size_t i = 0; i < yields.size(); ++i) {
      YieldHash spelled;
      for (const grammar::Symbol word : derivation_words(forest, found.edges(forest, i)))
        spelled.append(static_cast<uint32_t>(word));
      CHECK(yields[i] == spelled);
    }
  }
}

TEST(numbers_that_are_not_finite_are_refused) {
  SplitMix random(7, 0);
  const Forest forest = random_forest(random);
  const std::vector<double> good(forest.edge_count(), 1.0), few(forest.edge_count() - 1, 1.0);
  ForestEnvelope envelope;
  for (const double bad : {kInfinity, -kInfinity, std::numeric_limits<double>::quiet_NaN()}) {
    std::vector<double> wrong = good;
    wrong.back() = bad;
    CHECK_THROWS(envelope.find(forest, wrong, good), InputError);
    CHECK_THROWS(envelope.find(forest, good, wrong), InputError);
  }
  CHECK_THROWS(envelope.find(forest, few, good), InputError);
}

}  // namespace tunesmith::forest::hull_test
