#include "tunesmith/corpus/suffix_array.h"

#include <algorithm>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/splitmix.h"

namespace tunesmith::corpus::suffix_array_test {

std::vector<int32_t> random_text(size_t size, int32_t words, uint64_t seed) {
  SplitMix random(seed, 0);
  std::vector<int32_t> text;
  for (size_t i = 0; i < size; ++i)
    text.push_back(random.below(8) == 0 ? kSentenceEnd
                                        : static_cast<int32_t>(random.below(static_cast<uint32_t>(words))));
  text.push_back(kSentenceEnd);
  return text;
}

/// Compares suffixes word by word up to the sentence end and the depth, then by position.
bool before(const std::vector<int32_t>& text, uint32_t a, uint32_t b) {
  for (uint32_t depth = 0; depth < static_cast<uint32_t>(kSuffixDepth); ++depth) {
    if (text[a + depth] != text[b + depth]) return text[a + depth] < text[b + depth];
    if (text[a + depth] == kSentenceEnd) break;
  }
  return a < b;
}

TEST(suffixes_are_in_the_order_of_a_plain_sort) {
  for (const int32_t words : {1, 2, 5, 300})
    for (const uint64_t seed : {1, 2, 3}) {
      const auto text = random_text(2000, words, seed);
      std::vector<uint32_t> expected;
      for (uint32_t i = 0; i < text.size(); ++i)
        if (text[i] != kSentenceEnd) expected.push_back(i);
      std::sort(expected.begin(), expected.end(), [&](uint32_t a, uint32_t b) { return before(text, a, b); });
      std::vector<uint32_t> first;
      CHECK(sort_suffixes(text, static_cast<size_t>(words), 2, first) == expected);
    }
}

TEST(phrases_are_found_as_often_as_they_occur) {
  const auto text = random_text(3000, 3, 7);
  std::vector<uint32_t> first;
  const auto suffixes = sort_suffixes(text, 3, 1, first);
  const SuffixArray array{text, suffixes, first};
  SplitMix random(5, 5);
  for (int trial = 0; trial < 200; ++trial) {
    std::vector<int32_t> phrase(1 + random.below(5));
    for (int32_t& word : phrase) word = static_cast<int32_t>(random.below(4));  // 3 is unknown
    uint32_t count = 0;
    for (auto at = text.begin();; ++at, ++count) {
      at = std::search(at, text.end(), phrase.begin(), phrase.end());
      if (at == text.end()) break;
    }
    CHECK(array.find(phrase).size() == count);
  }
}

TEST(phrases_that_cannot_occur_match_no_suffix) {
  const std::vector<int32_t> text{0, kSentenceEnd};
  std::vector<uint32_t> first;
  const auto suffixes = sort_suffixes(text, 1, 1, first);
  const SuffixArray array{text, suffixes, first};
  CHECK(array.find(std::vector<int32_t>{0, kSentenceEnd}).empty());
  CHECK(array.find(std::vector<int32_t>{-1}).empty());
  CHECK(array.find(std::vector<int32_t>{}).empty());
  CHECK(array.find(std::vector<int32_t>(static_cast<size_t>(kSuffixDepth) + 1, 0)).empty());
}

TEST(a_text_without_words_has_no_suffixes) {
  std::vector<uint32_t> first;
  CHECK(sort_suffixes({}, 0, 2, first).empty());
  CHECK(sort_suffixes(std::vector<int32_t>{kSentenceEnd, kSentenceEnd}, 2, 2, first).empty());
  CHECK(first == std::vector<uint32_t>(3, 0));
}

}  // namespace tunesmith::corpus::suffix_array_test
