#include "tunesmith/decode/coverage.h"

#include <map>
#include <set>

#include "check.h"
#include "tunesmith/base/splitmix.h"

namespace tunesmith::decode::coverage_test {

constexpr uint32_t kColumns = 200;
using Columns = std::set<uint32_t>;

bool overlaps(const Columns& columns, Range range) {
  const auto next = columns.lower_bound(range.begin);
  return next != columns.end() && *next < range.end;
}

std::vector<Range> gaps(const Columns& columns) {
  std::vector<Range> found;
  for (uint32_t column = 0; column < kColumns; ++column) {
    if (columns.contains(column)) continue;
    if (found.empty() || found.back().end != column) found.push_back({column, column});
    found.back().end = column + 1;
  }
  return found;
}

void compare(const Coverage& coverage, const Columns& columns, SplitMix& random) {
  CHECK(coverage.count == columns.size());
  uint32_t first = 0;
  while (columns.contains(first)) ++first;
  CHECK(coverage.first_gap == first);
  CHECK(coverage.bits.empty() || coverage.bits.back() != 0);
  for (uint32_t column = 0; column < kColumns + 70; ++column)
    CHECK(coverage.contains(column) == columns.contains(column));
  std::vector<Range> found;
  coverage.for_each_gap(kColumns, [&](Range gap) { found.push_back(gap); });
  CHECK(found == gaps(columns));
  for (int i = 0; i < 20; ++i) {
    const auto begin = (random.below(kColumns));
    const Range range{begin, begin + 1 + (random.below((kColumns - begin)))};
    CHECK(coverage.overlaps(range) == overlaps(columns, range));
  }
}

TEST(sets_equal_those_of_the_standard_library_and_each_has_one_number) {
  SplitMix random(1, 0);
  CoveragePool pool;
  std::map<Columns, uint32_t> numbers{{{}, 0}};
  for (int round = 0; round < 40; ++round) {
    Columns columns;
    uint32_t number = 0;
    const uint32_t longest = round % 2 == 0 ? 5 : 100;  // some ranges span whole words of bits
    while (columns.size() < kColumns) {
      // Mostly near the first gap, as in a search, so that sets are reached on several paths.
      const auto reach = random.below(4) == 0 ? kColumns : 8;
      const uint32_t first = pool[number].first_gap;
      const auto begin = static_cast<uint32_t>((first + random.below(reach)) % kColumns);
      Range range{begin, begin};
      const uint64_t size = 1 + random.below(longest);
      while (range.end < kColumns && range.size() < size && !columns.contains(range.end)) ++range.end;
      if (range.size() == 0) continue;
      number = pool.add(number, range);
      for (uint32_t column = range.begin; column < range.end; ++column) columns.insert(column);
      compare(pool[number], columns, random);
      CHECK(numbers.emplace(columns, number).first->second == number);
    }
    CHECK(pool[number].first_gap == kColumns && pool[number].bits.empty());
  }
  CHECK(pool.size() == numbers.size());
}

TEST(the_order_of_ranges_does_not_matter) {
  CoveragePool pool;
  const uint32_t one = pool.add(pool.add(pool.add(0, {130, 199}), {2, 64}), {64, 65});
  const uint32_t other = pool.add(pool.add(pool.add(0, {2, 65}), {150, 199}), {130, 150});
  CHECK(one == other);
  CHECK(pool.add(one, {0, 2}) == pool.add(pool.add(other, {0, 1}), {1, 2}));
}

TEST(a_cleared_pool_has_only_the_empty_set) {
  CoveragePool pool;
  pool.add(0, {3, 5});
  pool.clear();
  CHECK(pool.size() == 1 && pool[0].count == 0 && pool[0].bits.empty());
  CHECK(pool.add(0, {3, 5}) == 1);
}

}  // namespace tunesmith::decode::coverage_test
