#include "tunesmith/weights/file.h"

#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "check.h"
#include "tunesmith/base/container.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::weights::file_test {

struct TemporaryPath {
  const std::string path = (std::filesystem::temp_directory_path() / "tunesmith-weights-test").string();
  ~TemporaryPath() { std::filesystem::remove(path); }
};

TEST(a_weight_file_reads_back_to_the_bit) {
  const TemporaryPath file;
  WeightStore store;
  for (int i = 0; i < 70000; ++i) {  // more than one block of a column
    const auto number = store.insert("f" + std::to_string(i));
    store.set_weight(number, 0.1 * i);
    store.set_memory(number, 1 + 0.3 * i, -0.7 * i, i);
  }
  write_weights(store, "{\"seed\": 1}", file.path);
  const WeightFile read = read_weights(file.path);
  CHECK(read.about == "{\"seed\": 1}" && read.store.size() == store.size());
  for (uint32_t i = 0; i < store.size(); ++i) {
    const WeightRecord &a = store.record(i), &b = read.store.record(i);
    CHECK(a.weight == b.weight && a.rate == b.rate && a.drift == b.drift && a.last == b.last);
    CHECK(store.name(i) == read.store.name(i) && store[store.name(i)] == read.store[store.name(i)]);
  }
}

/// A file of two features, with one column replaced.
struct Written {
  std::vector<uint64_t> keys{key_of("a"), key_of("b")};
  std::vector<double> weights{1, 2}, rates{1, 1};
  std::string names = "ab";

  void write(const std::string& path) const {
    ContainerWriter writer(path, kWeightsKind, kWeightsVersion);
    writer.add("keys", keys);
    writer.add("weights", weights);
    writer.add("rates", rates);
    writer.add("drifts", std::vector<double>{0, 0});
    writer.add("last_steps", std::vector<int64_t>{0, 0});
    writer.add("names", std::span<const char>(names));
    writer.add("name_offsets", std::vector<int64_t>{0, 1, 2});
    writer.add("about", std::span<const char>());
    writer.finish();
  }
};

TEST(what_is_not_possible_in_a_weight_file_is_an_error) {
  const TemporaryPath file;
  const Written sound;
  sound.write(file.path);
  CHECK(read_weights(file.path).store.size() == 2);
  const auto is_refused = [&](auto change) {
    Written damaged;
    change(damaged);
    damaged.write(file.path);
    CHECK_THROWS(read_weights(file.path), InputError);
  };
  is_refused([](Written& it) { it.keys[1] += 1; });
  is_refused([](Written& it) { it.weights[0] = std::numeric_limits<double>::infinity(); });
  is_refused([](Written& it) { it.weights.pop_back(); });
  is_refused([](Written& it) { it.rates[0] = -1; });
  is_refused([](Written& it) { it.names = "a\xff"; });
  is_refused([](Written& it) { it.names = "aa", it.keys[1] = it.keys[0]; });
  is_refused([](Written& it) { it.names = "abc"; });
}

}  // namespace tunesmith::weights::file_test
