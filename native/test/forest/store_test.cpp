#include "tunesmith/forest/store.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "check.h"
#include "tunesmith/base/block_store.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::forest::store_test {

constexpr uint64_t kLarge = uint64_t{1} << 40;

const auto kNames = [] {
  auto names = std::make_shared<ForestNames>();
  names->words.add("a");
  for (const char* name : {"lm", "tm"}) names->features.add(name);
  return names;
}();

/// One node with this many edges, with different feature values.
std::shared_ptr<const Forest> small_forest(uint32_t edges, float value) {
  ForestArrays arrays;
  for (uint32_t i = 0; i < edges; ++i) {
    arrays.tails.close();
    arrays.edge_rules.push_back(0);
    arrays.spans.emplace_back();
    arrays.features.add(std::vector<FeatureValue>{{i % 2, value}});
  }
  arrays.rules.sources.close();
  arrays.rules.targets.add(std::vector<grammar::Symbol>{0});
  arrays.rules.links.close();
  arrays.rules.features.close();
  arrays.rules.ids.push_back(-1);
  if (edges > 0) arrays.edge_offsets.push_back(edges);
  return std::make_shared<Forest>(std::move(arrays), kNames);
}

struct Folder {
  Folder() : path(std::filesystem::temp_directory_path() / ("forest-store-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::filesystem::path path;
};

std::shared_ptr<ForestFile> written(const Folder& folder, uint32_t count) {
  const std::string path = folder.path / "forests";
  ForestWriter writer(path);
  for (uint32_t i = 0; i < count; ++i) writer.add(*small_forest(i + 1, static_cast<float>(i)));
  writer.finish();
  return std::make_shared<ForestFile>(path);
}

TEST(forests_beyond_the_limit_are_read_again_and_are_the_same) {
  const Folder folder;
  const auto file = written(folder, 10);
  const std::vector<int64_t> columns{2, 0};
  const std::vector<double> weights{0.5, 7.0, 2.0};
  uint64_t all = 0;
  for (const uint64_t limit : {kLarge, uint64_t{400}, uint64_t{1}}) {
    ForestStore store(3, limit, file);
    for (size_t i = 0; i < file->size(); ++i) store.add(std::make_shared<Forest>(file->forest(i)), columns);
    CHECK(store.size() == 10 && store.edge_count() == 55);
    if (limit == kLarge) all = store.bytes();
    CHECK(store.bytes() == all);
    const uint64_t held = store.bytes() - store.bytes_on_disk();
    CHECK(limit == kLarge ? held == all : held <= limit && store.bytes_on_disk() > 0);
    const ForestStore::NamedWeights named(store, weights);
    for (size_t i = 0; i < 10; ++i) {
      CHECK((named[i] == std::vector<double>{2.0, 0.5}));
      CHECK(store[i]->scores(named[i]) == small_forest(static_cast<uint32_t>(i) + 1, static_cast<float>(i))
                                              ->scores(std::vector<double>{2.0, 0.5}));
    }
  }
}

TEST(forests_without_a_file_are_held_whatever_the_limit) {
  ForestStore store(2, 1, nullptr);
  const auto given = small_forest(3, 1.0F);
  store.add(given, std::vector<int64_t>{0, 1});
  CHECK(store.bytes_on_disk() == 0 && store.bytes() == given->bytes() && store[0] == given);
}

TEST(what_does_not_fit_the_store_is_refused) {
  const Folder folder;
  const auto file = written(folder, 1);
  const std::vector<int64_t> columns{0, 1}, one{0}, outside{0, 2}, negative{0, -1};
  ForestStore store(2, kLarge, file);
  CHECK_THROWS(store.add(small_forest(0, 0.0F), columns), InputError);
  CHECK_THROWS(store.add(small_forest(2, 0.0F), columns), InputError);  // the file's first has one edge
  CHECK_THROWS(store.add(small_forest(1, 0.0F), one), InputError);
  CHECK_THROWS(store.add(small_forest(1, 0.0F), outside), InputError);
  CHECK_THROWS(store.add(small_forest(1, 0.0F), negative), InputError);
  store.add(small_forest(1, 0.0F), columns);
  CHECK_THROWS(store.add(small_forest(1, 0.0F), columns), InputError);  // the file has no other
  CHECK_THROWS(ForestStore::NamedWeights(store, std::vector<double>{1.0}), InputError);
  CHECK_THROWS(ForestStore::NamedWeights(store, std::vector<double>{1.0, 0.0 / 0.0}), InputError);
}

TEST(blocks_beyond_the_limit_are_on_disk_and_are_the_same) {
  const Folder folder;
  BlockStore store(200, folder.path);
  const auto block = [](uint32_t i) { return std::vector<uint32_t>(i + 1, i); };
  for (uint32_t i = 0; i < 20; ++i) store.add(PackedArrays({bytes_of(block(i)), bytes_of(block(2 * i))}));
  CHECK(store.size() == 20 && store.bytes_on_disk() > 0 && store.bytes() - store.bytes_on_disk() <= 200);
  CHECK(std::filesystem::is_empty(folder.path));
  std::vector<std::byte> buffer;
  for (uint32_t i = 20; i-- > 0;) {
    ArrayReader arrays(store.read(i, buffer));
    std::span<const uint32_t> first, second;
    arrays.read(first);
    arrays.read(second);
    CHECK(std::ranges::equal(first, block(i)) && std::ranges::equal(second, block(2 * i)));
  }
}

}  // namespace tunesmith::forest::store_test
