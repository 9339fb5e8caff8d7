#include "tunesmith/weights/store.h"

#include <array>
#include <limits>
#include <map>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/splitmix.h"

namespace tunesmith::weights::store_test {

TEST(a_store_has_the_weights_that_a_map_has) {
  WeightStore store;
  std::map<std::string, double> expected;
  SplitMix random(3, 0);
  for (int i = 0; i < 20000; ++i) {
    const std::string name = "f" + std::to_string(random.below(6000));
    const double weight = random.uniform() - 0.5;
    store.set(name, weight);
    expected[name] = weight;
  }
  CHECK(store.size() == expected.size());
  for (const auto& [name, weight] : expected) {
    const uint32_t number = store.find(key_of(name));
    CHECK(number != WeightStore::kNone);
    CHECK(store.weight(number) == weight && store.name(number) == name && store.key(number) == key_of(name));
    CHECK(store[name] == static_cast<float>(weight));
  }
  CHECK(store["another"] == 0 && store.find(key_of("another")) == WeightStore::kNone);
}

TEST(every_change_of_a_weight_makes_a_new_version) {
  WeightStore store;
  const uint32_t number = store.insert("a");
  const uint64_t version = store.version();
  CHECK(store.record(number).rate == 1);
  store.set_weight(number, 2);
  CHECK(store.version() > version);
  store.set_memory(number, 3, 4, 5);
  const WeightRecord& record = store.record(number);
  CHECK(record.weight == 2 && record.rate == 3 && record.drift == 4 && record.last == 5);
  CHECK_THROWS(store.set_weight(number, std::numeric_limits<double>::quiet_NaN()), InputError);
  CHECK(store.weight(number) == 2);
}

TEST(two_names_with_one_key_are_reported) {
  WeightStore store;
  const std::array<std::string_view, 2> parts{"a_", "b"};
  const std::array<std::string_view, 1> other{"c"};
  const uint64_t key = key_of("a_b");
  CHECK(store.insert(FeatureName{parts, key}) == store.insert("a_b"));
  CHECK(store.collisions().empty());
  CHECK(store.insert(FeatureName{other, key}) == 0);
  store.insert(FeatureName{other, key});
  CHECK(store.collisions().size() == 1);
  CHECK(store.collisions()[0].first == "a_b" && store.collisions()[0].second == "c");
}

}  // namespace tunesmith::weights::store_test
