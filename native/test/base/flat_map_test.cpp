#include "tunesmith/base/flat_map.h"

#include <map>

#include "check.h"
#include "tunesmith/base/splitmix.h"

namespace tunesmith::flat_map_test {

/// Inserts some keys more than once and compares the result with std::map.
void fill_and_compare(FlatMap<uint32_t>& map, const std::vector<uint64_t>& keys) {
  std::map<uint64_t, uint32_t> expected;
  for (uint32_t i = 0; i < keys.size(); ++i) {
    const auto [value, is_new] = map.insert(keys[i], i);
    const auto [place, expects_new] = expected.emplace(keys[i], i);
    CHECK(is_new == expects_new);
    CHECK(value == place->second);
  }
  CHECK(map.size() == expected.size());
  for (const auto& [key, value] : expected) {
    const uint32_t* found = map.find(key);
    CHECK(found && *found == value);
    CHECK(expected.contains(key + 1) == (map.find(key + 1) != nullptr));
  }
}

TEST(a_small_map_grows_and_loses_nothing) {
  SplitMix random(1, 0);
  std::vector<uint64_t> keys;
  for (int i = 0; i < 5000; ++i) keys.push_back(random.below(4000));
  FlatMap<uint32_t> map(2);
  fill_and_compare(map, keys);
}

TEST(cleared_keys_are_gone_and_can_be_inserted_again) {
  SplitMix random(2, 0);
  FlatMap<uint32_t> map(4);
  for (int round = 0; round < 50; ++round) {
    std::vector<uint64_t> keys;
    const uint32_t size = random.below(200);
    for (uint32_t i = 0; i < size; ++i) keys.push_back(random.below(100));
    map.clear();
    CHECK(map.size() == 0);
    for (uint64_t key = 0; key < 100; ++key) CHECK(map.find(key) == nullptr);
    fill_and_compare(map, keys);
  }
}

TEST(keys_with_the_same_slot_are_distinguished) {
  // The slot is computed from the lowest bits of a product and the bits 32 above them: all are 0 for
  // multiples of 2^52.
  std::vector<uint64_t> keys;
  for (uint64_t i = 0; i < 300; ++i) keys.push_back(i << 52);
  keys.insert(keys.end(), keys.begin(), keys.end());
  FlatMap<uint32_t> map(8);
  fill_and_compare(map, keys);
}

TEST(a_value_may_be_changed_in_place) {
  FlatMap<uint32_t> map;
  map.insert(7, 1).value = 3;
  CHECK(*map.find(7) == 3);
  const auto again = map.insert(7, 5);
  CHECK(!again.is_new && again.value == 3);
}

TEST(the_memory_of_a_map_is_reported_as_if_it_had_grown_from_empty) {
  FlatMap<uint32_t> used, fresh;
  const size_t empty = used.bytes();
  for (uint64_t key = 0; key < 5000; ++key) used.insert(key, 0);
  CHECK(used.bytes() >= 2 * 5000 * (sizeof(uint64_t) + sizeof(uint32_t)));
  used.clear();
  CHECK(used.bytes() == empty);
  for (uint64_t key = 0; key < 100; ++key) {
    used.insert(key, 0);
    fresh.insert(key, 0);
  }
  CHECK(used.bytes() == fresh.bytes());
  CHECK(fresh.bytes() > empty);
}

}  // namespace tunesmith::flat_map_test
