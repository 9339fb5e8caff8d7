#include "tunesmith/weights/mapped.h"

#include <filesystem>
#include <string>

#include "check.h"
#include "tunesmith/base/splitmix.h"

namespace tunesmith::weights::mapped_test {

TEST(mapped_weights_are_those_of_the_store) {
  const std::string path = (std::filesystem::temp_directory_path() / "tunesmith-mapped-test").string();
  for (const uint32_t size : {0U, 1U, 2U, 3U, 700U}) {
    WeightStore store;
    SplitMix random(size, 0);
    for (uint32_t i = 0; i < size; ++i)
      store.set("f" + std::to_string(i), static_cast<double>(random.below(9)) / 8 - 0.5);
    write_mapped_weights(store, path);
    const MappedWeights mapped(path);
    size_t nonzero = 0;
    for (uint32_t i = 0; i < size; ++i) {
      CHECK(mapped.weight_of(store.key(i)) == store.weight_of(store.key(i)));
      nonzero += store.weight(i) != 0;
    }
    CHECK(mapped.size() == nonzero);
    CHECK(mapped.weight_of(key_of("another")) == 0);
  }
  std::filesystem::remove(path);
}

}  // namespace tunesmith::weights::mapped_test
