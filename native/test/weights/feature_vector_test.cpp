#include "tunesmith/weights/feature_vector.h"

#include <array>
#include <map>
#include <string>

#include "check.h"
#include "tunesmith/base/splitmix.h"

namespace tunesmith::weights::feature_vector_test {

FeatureVector random_vector(uint64_t seed, std::map<std::string, double>& expected) {
  FeatureVector vector;
  SplitMix random(seed, 0);
  for (int i = 0; i < 500; ++i) {
    const std::string name = "f" + std::to_string(random.below(150));
    const auto value = static_cast<double>(random.below(9)) - 4;
    vector.add(name, value);
    expected[name] += value;
  }
  return vector;
}

TEST(a_feature_vector_has_the_sums_that_a_map_has) {
  std::map<std::string, double> expected;
  const FeatureVector vector = random_vector(1, expected);
  CHECK(vector.size() == expected.size());
  double norm2 = 0;
  for (const auto& [name, value] : expected) {
    CHECK(vector.value_of(key_of(name)) == value);
    norm2 += value * value;
  }
  CHECK(vector.norm2() == norm2);
  CHECK(vector.value_of(key_of("another")) == 0);
}

TEST(entries_are_in_the_order_of_their_first_appearance) {
  FeatureVector vector;
  for (const char* name : {"b", "a", "b", "c", "a"}) vector.add(name, 1);
  CHECK(vector.size() == 3);
  CHECK(vector.names()[0] == "b" && vector.names()[1] == "a" && vector.names()[2] == "c");
  CHECK(vector.values()[0] == 2 && vector.values()[1] == 2 && vector.values()[2] == 1);
}

TEST(the_difference_of_two_vectors_is_that_of_their_entries) {
  std::map<std::string, double> hope, fear;
  FeatureVector difference = random_vector(2, hope);
  difference.add(random_vector(3, fear), -1);
  for (const auto& [name, value] : fear) hope[name] -= value;
  size_t nonzero = 0;
  for (const auto& [name, value] : hope) {
    CHECK(difference.value_of(key_of(name)) == value);
    nonzero += value != 0;
  }
  difference.drop_zeros();
  CHECK(difference.size() == nonzero && nonzero < hope.size());
  for (size_t i = 0; i < difference.size(); ++i)
    CHECK(difference.values()[i] == hope[std::string(difference.names()[i])]);
  difference.add(difference, -1);
  CHECK(difference.norm2() == 0);
}

TEST(the_dot_product_weighs_absent_features_zero) {
  std::map<std::string, double> entries;
  const FeatureVector vector = random_vector(4, entries);
  WeightStore store;
  double expected = 0;
  for (size_t i = 0; i < vector.size(); i += 2) {
    const double weight = 0.1 * static_cast<double>(i);
    store.set(vector.names()[i], weight);
    expected += vector.values()[i] * weight;
  }
  store.set("another", 1000);
  CHECK(vector.dot(store) == expected);
}

TEST(names_that_share_a_key_share_an_entry_and_are_reported) {
  FeatureVector vector;
  const std::array<std::string_view, 1> other{"b"};
  vector.add("a", 1);
  vector.add(FeatureName{other, key_of("a")}, 2);
  CHECK(vector.size() == 1 && vector.values()[0] == 3 && vector.names()[0] == "a");
  CHECK(vector.collisions().size() == 1 && vector.collisions()[0].second == "b");
}

}  // namespace tunesmith::weights::feature_vector_test
