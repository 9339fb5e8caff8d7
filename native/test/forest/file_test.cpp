#include "tunesmith/forest/file.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <thread>

#include "check.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::forest::file_test {

struct TestFile {
  std::string path =
      (std::filesystem::temp_directory_path() / ("forest_file_test." + std::to_string(getpid()) + ".bin"))
          .string();
  ~TestFile() { std::remove(path.c_str()); }
};

/// A forest of one of the given words.
Forest word_forest(grammar::Symbol word, float value, std::shared_ptr<const ForestNames> names) {
  ForestArrays arrays;
  arrays.rules.sources.close();
  arrays.rules.targets.add(std::vector<grammar::Symbol>{word});
  arrays.rules.links.close();
  arrays.rules.features.add(std::vector<FeatureValue>{{0, value}});
  arrays.rules.ids.push_back(3);
  arrays.tails.close();
  arrays.features.close();
  arrays.edge_rules.push_back(0);
  arrays.spans.push_back({0, 1});
  arrays.edge_offsets.push_back(1);
  return Forest(std::move(arrays), std::move(names));
}

std::shared_ptr<const ForestNames> numbered_names(int first, int last) {
  auto names = std::make_shared<ForestNames>();
  for (int i = first; i < last; ++i) names->words.add("w" + std::to_string(i));
  names->features.add("f");
  return names;
}

Forest word_forest(const std::string& word, float value) {
  auto names = std::make_shared<ForestNames>();
  names->words.add(word);
  names->features.add("f");
  return word_forest(0, value, std::move(names));
}

/// Threads of one decoder share names; others have their own.
void check_threads(bool shared) {
  const TestFile file;
  {
    ForestWriter writer(file.path);
    const auto all = numbered_names(0, 200);
    const auto work = [&](int first) {
      for (int i = first; i < first + 100; ++i)
        writer.add(
            word_forest(shared ? i : 0, static_cast<float>(i), shared ? all : numbered_names(i, i + 1)),
            "s" + std::to_string(i));
    };
    std::jthread one([&] { work(0); }), two([&] { work(100); });
    one.join();
    two.join();
    writer.finish();
  }
  const ForestFile forests(file.path);
  CHECK(forests.size() == 200);
  const auto check = [&](int first) {
    for (int i = first; i < first + 100; ++i) {
      const Forest forest = forests.forest(static_cast<size_t>(forests.find("s" + std::to_string(i))));
      CHECK(forest.names().words[static_cast<size_t>(forest.target(0)[0])] == "w" + std::to_string(i));
      CHECK(forest.rule_features(0)[0].value == static_cast<float>(i));
      CHECK(forest.shared_names() == forests.names());
    }
  };
  std::jthread one([&] { check(0); });
  check(100);
}

TEST(threads_write_and_read_one_file) { check_threads(false); }

TEST(threads_that_share_names_write_one_file) { check_threads(true); }

TEST(a_file_that_was_not_finished_is_not_there) {
  const TestFile file;
  {
    ForestWriter(file.path).add(word_forest("a", 1));
  }
  CHECK(!std::filesystem::exists(file.path));
  CHECK_THROWS(ForestFile{file.path}, InputError);
}

TEST(an_unknown_number_or_id_is_reported) {
  const TestFile file;
  {
    ForestWriter writer(file.path);
    writer.add(word_forest("a", 1));
    CHECK_THROWS(writer.add(word_forest("a", 1), "0"), InputError);
    CHECK_THROWS(writer.add(word_forest("a", 1), "\xff"), InputError);
    writer.finish();
    CHECK_THROWS(writer.finish(), InputError);
  }
  const ForestFile forests(file.path);
  CHECK(forests.find("0") == 0);
  CHECK(forests.find("1") == NameTable::kUnknown);
  CHECK_THROWS(forests.forest(1), InputError);
}

}  // namespace tunesmith::forest::file_test
