#include "tunesmith/decode/source_options.h"

#include <cstdio>
#include <string>

#include "check.h"
#include "tunesmith/base/splitmix.h"
#include "tunesmith/tables/phrase_table_builder.h"

namespace tunesmith::decode::source_options_test {

/// A table with random scores of phrases of up to three of the letters a, b and c; other words are unknown.
/// The file is removed at the end of a test.
struct TestTable {
  TestTable() {
    TextColumn letters;
    for (const char* letter : {"a", "b", "c"}) letters.add(letter);
    SplitMix random(1, 0);
    tables::PhraseTableBuilder builder(path, {1, 0, 0});
    const auto add = [&](const std::vector<int32_t>& phrase) {
      builder.begin_source(phrase);
      const float scores[] = {static_cast<float>(1 + random.below(100)) / 100.0F};
      tables::ScoredPhrase pair;
      pair.target = phrase;
      pair.scores = scores;
      builder.add(pair);
    };
    for (int32_t i = 0; i < 3; ++i) {
      add({i});
      for (int32_t k = 0; k < 3; ++k) {
        add({i, k});
        if (i != k) add({i, k, i});
      }
    }
    builder.finish(letters.view(), letters.view(), "{}");
  }
  ~TestTable() { std::remove(path.c_str()); }

  std::string path = "source_options_test.bin";
};

struct TestModel {
  static std::shared_ptr<DecoderModel> model(const tables::PhraseTable& table) {
    auto made = std::make_shared<DecoderModel>();
    made->add_table(table, "TranslationModel0", 0);
    made->add_penalty(Penalty::kUnknownWord, "UnknownWordPenalty0");
    return made;
  }

  TestTable file;
  tables::PhraseTable table{file.path};
  WeightedModel weighted{model(table), {0.7F, 0.1F}};
};

TEST(the_band_of_a_distortion_limit_has_the_future_costs_of_the_whole_table) {
  const TestModel test;
  const auto input = corpus::WordLattice::sentence("a b a c x b b a c a b x");
  const SourceOptions whole(test.weighted, input, UnknownWords::kPass, -1);
  const uint32_t length = input.columns();
  for (int32_t limit = 0; limit <= static_cast<int32_t>(length) + 1; ++limit) {
    const SourceOptions band(test.weighted, input, UnknownWords::kPass, limit);
    for (uint32_t begin = 0; begin < length; ++begin)
      for (uint32_t end = begin + 1; end <= length; ++end) {
        const bool is_kept = end == length || end - begin <= static_cast<uint32_t>(limit);
        const float expected = whole.future_cost({begin, end});
        CHECK(expected > kForbiddenScore);
        CHECK(band.future_cost({begin, end}) == (is_kept ? expected : kForbiddenScore));
      }
  }
}

TEST(the_future_cost_is_that_of_the_best_sequence_of_options) {
  const TestModel test;
  const auto input = corpus::WordLattice::sentence("a b a x c");
  const SourceOptions options(test.weighted, input, UnknownWords::kPass, -1);
  const auto best = [&](const auto& self, uint32_t begin, uint32_t end) -> float {
    float found = begin == end ? 0 : kForbiddenScore;
    for (const OptionEntry& entry : options.entries())
      if (begin < end && entry.range.begin == begin && entry.range.end <= end)
        for (const Option& option : entry.options)
          found = std::max(found, option.estimate + self(self, entry.range.end, end));
    return found;
  };
  for (uint32_t begin = 0; begin < input.columns(); ++begin)
    for (uint32_t end = begin + 1; end <= input.columns(); ++end)
      CHECK_NEAR(options.future_cost({begin, end}), best(best, begin, end), 1e-4);
}

}  // namespace tunesmith::decode::source_options_test
