#include "tunesmith/extract/rules/extraction.h"

#include <map>
#include <set>
#include <tuple>

#include "check.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::extract::rules::extraction_test {

/// A pair whose word i is number i on both sides.
struct Pair {
  std::vector<int32_t> source, target;
  std::vector<corpus::Link> links;
  std::vector<Reach> source_reach, target_reach;

  Pair(int32_t n, int32_t m, std::vector<corpus::Link> given) : links(std::move(given)) {
    for (int32_t i = 0; i < n; ++i) source.push_back(i);
    for (int32_t j = 0; j < m; ++j) target.push_back(100 + j);
    source_reach.resize(source.size());
    target_reach.resize(target.size());
    make_reaches(links, source_reach, target_reach);
  }
  AlignedPair view() const { return {source, target, links, source_reach, target_reach}; }
};

using Sides =
    std::tuple<std::vector<grammar::Symbol>, std::vector<grammar::Symbol>, std::vector<corpus::Link>>;

Sides sides(const grammar::Rule& rule) {
  return {{rule.source.begin(), rule.source.end()},
          {rule.target.begin(), rule.target.end()},
          {rule.alignment.begin(), rule.alignment.end()}};
}

std::map<Sides, int> all_rules(const Pair& pair, const RuleLimits& limits) {
  std::map<Sides, int> counts;
  RuleExtractor extractor(limits);
  extractor.extract_all(pair.view(),
                        [&](const RuleOccurrence& each, int64_t) { ++counts[sides(each.rule)]; });
  return counts;
}

/// The same rules, from every pattern at every position.
std::map<Sides, int> rules_by_pattern(const Pair& pair, const RuleLimits& limits) {
  std::map<Sides, int> counts;
  RuleExtractor extractor(limits);
  const auto n = static_cast<int32_t>(pair.source.size());
  std::vector<Span> spans;
  for (int32_t i = 0; i < n; ++i)
    for (int32_t j = i + 1; j <= n; ++j) spans.push_back({i, j});
  const auto count = [&](const RuleOccurrence& each) { ++counts[sides(each.rule)]; };
  for (const Span& outer : spans) {
    extractor.extract_at(pair.view(), outer, {}, count);
    for (const Span& first : spans) {
      const std::vector<Span> one{first};
      extractor.extract_at(pair.view(), outer, one, count);
      for (const Span& second : spans) {
        const std::vector<Span> two{first, second};
        extractor.extract_at(pair.view(), outer, two, count);
      }
    }
  }
  return counts;
}

TEST(a_swap_gives_chiangs_rules) {
  const Pair pair(2, 2, {{0, 1}, {1, 0}});
  const std::map<Sides, int> expected{{{{0}, {101}, {{0, 0}}}, 1},
                                      {{{1}, {100}, {{0, 0}}}, 1},
                                      {{{0, 1}, {100, 101}, {{0, 1}, {1, 0}}}, 1},
                                      {{{-1, 1}, {100, -1}, {{1, 0}}}, 1},
                                      {{{0, -1}, {-1, 101}, {{0, 1}}}, 1}};
  CHECK(all_rules(pair, {}) == expected);
}

TEST(siblings_are_the_rules_of_one_phrase) {
  const Pair pair(2, 2, {{0, 1}, {1, 0}});
  RuleExtractor extractor({});
  std::multiset<int64_t> siblings;
  extractor.extract_all(pair.view(), [&](const RuleOccurrence&, int64_t n) { siblings.insert(n); });
  CHECK((siblings == std::multiset<int64_t>{1, 1, 3, 3, 3}));
  CHECK(extractor.count_rules(pair.view(), {{0, 2}, {0, 2}}) == 3);
}

TEST(single_patterns_and_all_rules_agree) {
  const Pair pairs[] = {Pair(5, 5, {{0, 0}, {1, 2}, {2, 1}, {4, 4}}),
                        Pair(4, 6, {{0, 3}, {1, 3}, {3, 0}, {3, 1}}),
                        Pair(6, 4, {{1, 1}, {2, 1}, {4, 2}, {5, 0}}), Pair(3, 3, {}), Pair(0, 2, {})};
  for (const Pair& pair : pairs)
    for (const bool tight : {true, false})
      for (const bool adjacent : {true, false})
        for (const bool require_link : {true, false})
          for (const int hole : {1, 2}) {
            RuleLimits limits{.max_span = 5, .max_target_span = 5, .max_symbols = 4, .min_hole = hole};
            limits.adjacent_gaps = adjacent;
            limits.require_link = require_link;
            limits.tight = tight;
            CHECK(all_rules(pair, limits) == rules_by_pattern(pair, limits));
          }
}

TEST(unaligned_words_widen_loose_phrases_only) {
  const Pair pair(2, 2, {{0, 0}});
  CHECK(all_rules(pair, {}).size() == 1);
  RuleLimits loose;
  loose.tight = false;
  CHECK(all_rules(pair, loose).size() == 4);
}

TEST(invalid_limits_are_refused) {
  CHECK_THROWS(check_limits({.max_span = 0}), InputError);
  CHECK_THROWS(check_limits({.max_target_span = -1}), InputError);
  CHECK_THROWS(check_limits({.max_symbols = 0}), InputError);
  CHECK_THROWS(check_limits({.max_gaps = 3}), InputError);
  CHECK_THROWS(check_limits({.min_hole = 0}), InputError);
  check_limits({});
}

}  // namespace tunesmith::extract::rules::extraction_test
