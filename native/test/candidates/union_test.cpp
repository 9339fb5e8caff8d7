#include "tunesmith/candidates/union.h"

#include <bit>
#include <cmath>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/name_table.h"
#include "tunesmith/base/text.h"

namespace tunesmith::candidates::union_test {

/// Two lists: "a" and "b" with one feature each, then "a".
struct Sample {
  std::vector<int64_t> lists{0, 2, 3}, offsets{0, 1, 2, 3}, targets{0, 1};
  std::vector<int32_t> columns{0, 0, 0};
  std::vector<double> values{1, 2, 1};
  TextColumn texts;

  Sample() {
    for (const char* text : {"a", "b", "a"}) texts.add(text);
  }
  PoolPart part() const { return {{lists, {offsets, columns, values, 1}}, texts.view(), {}, targets}; }
};

TEST(equal_candidates_of_one_list_are_merged) {
  const Sample first, second;
  PoolUnion both;
  CHECK((both.add(first.part(), 2) == std::vector<int64_t>{0, 1, 2}));
  CHECK(both.add(second.part(), 2).empty());
}

TEST(candidates_that_differ_in_one_feature_are_both_kept) {
  Sample first, second;
  second.values[1] = 3;
  PoolUnion both;
  both.add(first.part(), 1);
  CHECK((both.add(second.part(), 1) == std::vector<int64_t>{1}));
  CHECK(both.add(second.part(), 1).empty());
}

TEST(equal_hashes_do_not_make_candidates_equal) {
  // Solves mix(mix(text, 0), a) == mix(mix(text, 1), b) for b: two different candidates, one hash.
  const auto spread = [](uint64_t hash) { return 0x9e3779b97f4a7c15ULL + (hash << 6) + (hash >> 2); };
  const uint64_t zero = mix(hash_bytes("a"), 0), one = mix(hash_bytes("a"), 1);
  double a = 1, b = 0;
  do {
    a += 1;
    b = std::bit_cast<double>((zero ^ (std::bit_cast<uint64_t>(a) + spread(zero)) ^ one) - spread(one));
  } while (!std::isfinite(b) || b == 0);
  CHECK(mix(zero, std::bit_cast<uint64_t>(a)) == mix(one, std::bit_cast<uint64_t>(b)));

  const std::vector<int64_t> lists{0, 2}, offsets{0, 1, 2}, targets{0};
  const std::vector<int32_t> columns{0, 1};
  const std::vector<double> values{a, b};
  TextColumn texts;
  texts.add("a");
  texts.add("a");
  PoolUnion one_list;
  CHECK(one_list.add({{lists, {offsets, columns, values, 2}}, texts.view(), {}, targets}, 1).size() == 2);
}

TEST(arrays_that_do_not_fit_are_refused) {
  Sample sample;
  PoolUnion pools;
  sample.targets[1] = -1;
  CHECK_THROWS(pools.add(sample.part(), 1), InputError);
  sample.targets[1] = 0;
  CHECK_THROWS(pools.add(sample.part(), 1), InputError);
}

}  // namespace tunesmith::candidates::union_test
