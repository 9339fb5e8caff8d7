#include "tunesmith/pool_merge.h"

#include <bit>
#include <cmath>

#include "check.h"
#include "tunesmith/errors.h"
#include "tunesmith/pool_take.h"
#include "tunesmith/text.h"

using namespace tunesmith;

namespace {

/// Two lists: "a" and "b" with one feature each, then "a".
struct Sample {
  std::vector<int64_t> lists{0, 2, 3}, offsets{0, 1, 2, 3}, targets{0, 1};
  std::vector<int32_t> columns{0, 0, 0}, map{0};
  std::vector<double> values{1, 2, 1};
  TextColumn texts;

  Sample() {
    for (const char* text : {"a", "b", "a"}) texts.add(text);
  }
  PoolPart part() const { return {{lists, {offsets, columns, values, 1}}, texts.view(), {}, targets, map}; }
};

}  // namespace

TEST(equal_candidates_of_one_list_are_one) {
  const Sample first, second;
  const MergedPool merged = merge_pools({first.part(), second.part()}, 2, 2);
  CHECK((merged.lists == std::vector<int64_t>{0, 2, 3}));
  CHECK((merged.rows == std::vector<int64_t>{0, 1, 2}));
}

TEST(candidates_that_differ_in_one_feature_are_two) {
  Sample first, second;
  second.values[1] = 3;
  const MergedPool merged = merge_pools({first.part(), second.part()}, 2, 1);
  CHECK((merged.rows == std::vector<int64_t>{0, 1, 4, 2}));
  CHECK((merged.values == std::vector<double>{1, 2, 3, 1}));
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
  const std::vector<int32_t> columns{0, 1}, map{0, 1};
  const std::vector<double> values{a, b};
  TextColumn texts;
  texts.add("a");
  texts.add("a");
  const MergedPool merged =
      merge_pools({{{lists, {offsets, columns, values, 2}}, texts.view(), {}, targets, map}}, 1, 1);
  CHECK(merged.rows.size() == 2);
}

TEST(arrays_that_do_not_fit_are_refused) {
  Sample sample;
  sample.targets[1] = 2;
  CHECK_THROWS(merge_pools({sample.part()}, 2, 1), InputError);
  sample.targets[1] = -1;
  CHECK_THROWS(merge_pools({sample.part()}, 2, 1), InputError);
}

TEST(rows_are_taken_in_any_order) {
  const Sample sample;
  const TextColumn texts = take_texts(sample.texts.view(), std::vector<int64_t>{2, 1, 1});
  CHECK(texts[0] == "a" && texts[2] == "b");
  const CsrArrays rows =
      take_rows({sample.offsets, sample.columns, sample.values, 1}, std::vector<int64_t>{1});
  CHECK((rows.values == std::vector<double>{2}));
  CHECK_THROWS(take_texts(sample.texts.view(), std::vector<int64_t>{3}), InputError);
  CHECK_THROWS(take_texts(sample.texts.view(), std::vector<int64_t>{-1}), InputError);
}
