#include "tunesmith/extract/phrases/names.h"

#include <map>

#include "check.h"

namespace tunesmith::extract::phrases::names_test {

TEST(equal_phrases_have_equal_numbers_and_no_others_do) {
  std::vector<int32_t> words;
  std::vector<int64_t> offsets{0};
  uint32_t state = 1;
  for (int sentence = 0; sentence < 200; ++sentence) {
    state = state * 1664525 + 1013904223;
    const int length = static_cast<int>(state >> 28);  // 0 to 15
    for (int i = 0; i < length; ++i) {
      state = state * 1664525 + 1013904223;
      words.push_back(static_cast<int32_t>(state >> 30));
    }
    offsets.push_back(static_cast<int64_t>(words.size()));
  }
  const corpus::Sentences sentences{words, offsets};
  const PhraseNames names(sentences, 4, 2);
  std::map<std::vector<int32_t>, uint32_t> known;
  for (size_t i = 0; i < sentences.size(); ++i)
    for (int64_t begin = offsets[i]; begin < offsets[i + 1]; ++begin)
      for (int length = 1; length <= 4 && begin + length <= offsets[i + 1]; ++length) {
        const std::vector<int32_t> phrase(words.begin() + begin, words.begin() + begin + length);
        const uint32_t name = names.at(static_cast<size_t>(begin), length);
        const auto [entry, is_new] = known.emplace(phrase, name);
        CHECK(entry->second == name);
        const auto example = names.words(name);
        CHECK(std::vector<int32_t>(example.begin(), example.end()) == phrase);
      }
  CHECK(known.size() == names.size());
  const auto begins = names.cut(4);
  CHECK(begins.front() == 0);
  for (size_t i = 1; i < begins.size(); ++i) CHECK(begins[i - 1] < begins[i] && begins[i] < names.size());
}

TEST(an_empty_text_has_no_phrases) {
  const std::vector<int64_t> offsets{0, 0};
  const PhraseNames names(corpus::Sentences{{}, offsets}, 7, 1);
  CHECK(names.size() == 0);
  CHECK(names.cut(8).size() == 1);
}

}  // namespace tunesmith::extract::phrases::names_test
