#include "tunesmith/optimizers/weight_mixture.h"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/splitmix.h"
#include "tunesmith/weights/file.h"

namespace tunesmith::optimizers::weight_mixture_test {

using weights::WeightStore;

/// Files of weights that are removed at the end.
struct Files {
  std::vector<std::string> paths;
  ~Files() {
    for (const std::string& path : paths) std::filesystem::remove(path);
  }
  const std::string& add(const WeightStore& store) {
    const auto folder = std::filesystem::temp_directory_path();
    paths.push_back((folder / ("tunesmith-mixture-test-" + std::to_string(paths.size()))).string());
    weights::write_weights(store, "", paths.back());
    return paths.back();
  }
};

WeightStore random_store(SplitMix& random, int features) {
  WeightStore store;
  for (int i = 0; i < features; ++i) {
    const uint32_t number = store.insert("f" + std::to_string(random.below(30000)));
    store.set_weight(number, random.uniform() - 0.5);
    store.set_memory(number, 1, random.uniform(), 0);
  }
  return store;
}

bool are_equal(const MixedWeights& a, const MixedWeights& b) {
  if (a.last.keys() != b.last.keys() || a.averages != b.averages) return false;
  for (uint32_t i = 0; i < a.last.size(); ++i)
    if (a.last.weight(i) != b.last.weight(i) || a.last.name(i) != b.last.name(i)) return false;
  return a.dropped.by_top == b.dropped.by_top && a.dropped.by_shards == b.dropped.by_shards;
}

TEST(a_mixture_of_files_is_that_of_stores_for_any_number_of_threads) {
  SplitMix random(7, 0);
  Files files;
  std::vector<WeightStore> stores;
  for (int shard = 0; shard < 4; ++shard) stores.push_back(random_store(random, 25000));
  std::vector<MixedShard> in_memory, in_files;
  for (const WeightStore& store : stores) {
    in_memory.push_back({&store, 0.25, 3});
    in_files.push_back({files.add(store), 0.25, 3});
  }
  const WeightStore start = random_store(random, 5000);
  const std::string start_file = files.add(start);
  const FeatureSelection selection{{weights::key_of("f1")}, 9000, 2};
  const MixedWeights first = mix_weights(&start, in_memory, selection, MixingRule::kChanged, 1);
  CHECK(first.dropped.by_top > 0 && first.dropped.by_shards > 0 && first.averages.size() == 9001);
  for (const int threads : {1, 2, 7})
    CHECK(are_equal(first, mix_weights(start_file, in_files, selection, MixingRule::kChanged, threads)));
}

TEST(what_is_asked_meanwhile_may_stop_a_mixture) {
  const WeightStore store;
  const auto stop = [] { throw std::runtime_error("stopped"); };
  CHECK_THROWS(mix_weights(&store, {}, {}, MixingRule::kAll, 2, stop), std::runtime_error);
  CHECK_THROWS(mix_weights(&store, std::vector<MixedShard>{{&store, -1, 0}}, {}), InputError);
}

}  // namespace tunesmith::optimizers::weight_mixture_test
