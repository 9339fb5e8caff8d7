#include "tunesmith/decode/features/phrase_length.h"

#include <map>
#include <string>

#include "check.h"

namespace tunesmith::decode::features::phrase_length_test {

struct Values : FeatureSink {
  void add(size_t, float) override { ++columns; }
  void add(const weights::FeatureName& name, float value) override { by_name[name.text()] += value; }

  int columns = 0;
  std::map<std::string, float> by_name;
};

TEST(lengths_count_words_and_not_gaps) {
  const PhraseLengthFeature feature("Length");
  const std::vector<int32_t> source{4, -1, 7, -2}, target{-2, 3, -1}, gaps{-1, -2};
  const std::vector<std::string_view> texts{"x", "", "y", ""};
  Option option;
  Values found;
  option.source = source;
  option.words = target;
  feature.values(option, texts, {}, found);
  option.source = option.words = gaps;
  feature.values(option, {}, {}, found);
  CHECK(found.columns == 0);
  CHECK((found.by_name == std::map<std::string, float>{{"Length_2x1", 1}, {"Length_0x0", 1}}));
}

}  // namespace tunesmith::decode::features::phrase_length_test
