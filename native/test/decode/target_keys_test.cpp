#include "tunesmith/decode/target_keys.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>

#include "check.h"
#include "tunesmith/base/splitmix.h"
#include "tunesmith/tables/phrase_table_builder.h"

namespace tunesmith::decode::target_keys_test {

using Words = std::vector<int32_t>;

bool occurs(const Words& phrase, const Words& sentence) {
  return std::search(sentence.begin(), sentence.end(), phrase.begin(), phrase.end()) != sentence.end() ||
         phrase.empty();
}

/// A table with one source phrase, and all phrases of up to three letters as its translations.
struct TestTable {
  TestTable() {
    TextColumn letters;
    for (const char* letter : {"a", "b", "c", "d"}) letters.add(letter);
    tables::PhraseTableBuilder builder(path, {1, 0, 0});
    const int32_t source[] = {0};
    const float scores[] = {1};
    builder.begin_source(source);
    for (int32_t i = 0; i < 4 * 5 * 5; ++i) {
      Words target{i % 4, i / 4 % 5 - 1, i / 20 - 1};
      if (target[1] < 0 && target[2] >= 0) continue;
      std::erase(target, -1);
      tables::ScoredPhrase pair;
      pair.target = target;
      pair.scores = scores;
      builder.add(pair);
    }
    builder.finish(letters.view(), letters.view(), "{}");
    table.emplace(path);
  }
  ~TestTable() { std::remove(path.c_str()); }

  std::string path = "target_keys_test.bin";
  std::optional<tables::PhraseTable> table;
};

TEST(pairs_are_found_if_their_targets_occur_in_the_sentence) {
  SplitMix random(7, 1);
  const TestTable made;
  const auto all = made.table->find(Words{0});
  CHECK(all.size() == 84);
  for (const Words& numbers : {Words{}, Words{10, 13, 11, 12}}) {
    const TargetKeys keys(*made.table, all, numbers);
    for (int round = 0; round < 50; ++round) {
      Words sentence(random.below(8));  // -1 is a word that the model does not have
      for (int32_t& word : sentence) {
        word = static_cast<int32_t>(random.below(5)) - 1;
        if (word >= 0 && !numbers.empty()) word = numbers[static_cast<size_t>(word)];
      }
      std::vector<uint32_t> found, wanted;
      keys.find(phrase_keys(sentence, 3), found);
      for (uint32_t pair = all.begin; pair < all.end; ++pair) {
        const auto target = made.table->target_phrase(made.table->target(pair));
        Words words(target.begin(), target.end());
        if (!numbers.empty())
          for (int32_t& word : words) word = numbers[static_cast<size_t>(word)];
        if (occurs(words, sentence)) wanted.push_back(pair);
      }
      CHECK(found == wanted);  // in order; no two of so few phrases have the same key
    }
  }
}

TEST(keys_are_of_phrases_up_to_a_length) {
  const Words sentence{3, 4, 3, 4};
  CHECK(phrase_keys(sentence, 0).size() == 1);
  CHECK(phrase_keys(sentence, 2).size() == 5);  // empty, 3, 4, 3 4, 4 3
  CHECK(phrase_keys(sentence, 9).size() == 8);
  CHECK(std::ranges::is_sorted(phrase_keys(sentence, 9)));
}

}  // namespace tunesmith::decode::target_keys_test
