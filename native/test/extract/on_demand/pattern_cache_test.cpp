#include "tunesmith/extract/on_demand/pattern_cache.h"

#include "check.h"
#include "tunesmith/extract/on_demand/exclusion.h"
#include "tunesmith/extract/on_demand/target_tally.h"

namespace tunesmith::extract::on_demand::pattern_cache_test {

Pattern pattern_of(int32_t word) {
  Pattern pattern;
  pattern.words = {word};
  pattern.lengths = {1, 0, 0};
  return pattern;
}

TEST(a_cache_keeps_recently_used_entries_within_its_memory) {
  PatternCache cache(1 << 20);
  const auto rules = std::make_shared<PatternRules>();
  rules->sentences.assign(1000, 0);
  cache.put(pattern_of(0), rules);
  int kept = 0;
  for (int32_t word = 1; word < 2000; ++word) {
    cache.put(pattern_of(word), rules);
    CHECK(cache.find(pattern_of(0)) == rules);  // used in every round
  }
  for (int32_t word = 1; word < 2000; ++word) kept += cache.find(pattern_of(word)) != nullptr;
  CHECK(kept > 20);
  CHECK(kept * 4000 < 1 << 20);
}

TEST(patterns_of_the_same_words_with_different_gaps_are_different) {
  PatternCache cache(1 << 20);
  Pattern joined, apart;
  joined.words = apart.words = {1, 2};
  joined.lengths = {2, 0, 0};
  apart.lengths = {1, 1, 0};
  apart.chunks = 2;
  cache.put(joined, std::make_shared<PatternRules>());
  CHECK(cache.find(joined) != nullptr);
  CHECK(cache.find(apart) == nullptr);
}

TEST(excluded_sentences_are_ranges_of_text) {
  const std::vector<uint32_t> starts{0, 3, 4, 10};
  const ExcludedText excluded(starts, std::vector<int64_t>{2, 0});
  const std::vector<bool> expected{true, true, true, false, true, true, true, true, true, true};
  for (uint32_t position = 0; position < 10; ++position)
    CHECK(excluded.contains(position) == expected[position]);
  const ExcludedText all = excluded.joined(ExcludedText(starts, std::vector<int64_t>{1}));
  for (uint32_t position = 0; position < 10; ++position) CHECK(all.contains(position));
  CHECK_THROWS(ExcludedText(starts, std::vector<int64_t>{3}), std::exception);
  CHECK_THROWS(ExcludedText(starts, std::vector<int64_t>{-1}), std::exception);
  CHECK(!ExcludedText().contains(0));
}

TEST(a_tally_sums_alignments_and_keeps_the_most_frequent) {
  TargetTally tally;
  for (int round = 0; round < 3; ++round) {
    for (int32_t word = 0; word < 200; ++word) {
      const std::vector<grammar::Symbol> target{word, -1};
      tally.add(target, std::vector<corpus::Link>{{0, 0}});
      tally.add(target, std::vector<corpus::Link>{{1, 0}});
      if (word == 7) tally.add(target, std::vector<corpus::Link>{{1, 0}});
    }
    const auto totals = tally.totals();
    CHECK(totals.size() == 200);
    CHECK(totals[0].target[0] == 7 && totals[0].count == 3);
    CHECK((totals[0].alignment[0] == corpus::Link{1, 0}));
    CHECK(totals[1].target[0] == 0 && totals[1].count == 2);
    CHECK(totals[199].target[0] == 199);
    tally.clear();
    CHECK(tally.empty());
  }
}

}  // namespace tunesmith::extract::on_demand::pattern_cache_test
