#include "tunesmith/extract/phrases/occurring.h"

#include <random>
#include <set>

#include "check.h"

using namespace tunesmith;

namespace {

using Phrase = std::vector<int32_t>;

std::set<Phrase> phrases_of(const corpus::Sentences& sentences, size_t max_length) {
  std::set<Phrase> found;
  for (size_t i = 0; i < sentences.size(); ++i)
    for (size_t begin = 0; begin < sentences[i].size(); ++begin)
      for (size_t end = begin + 1; end <= std::min(sentences[i].size(), begin + max_length); ++end) {
        const auto part = sentences[i].subspan(begin, end - begin);
        if (std::ranges::none_of(part, [](int32_t word) { return word < 0; }))
          found.emplace(part.begin(), part.end());
      }
  return found;
}

}  // namespace

TEST(all_phrases_of_the_sentences_occur_and_few_others_do) {
  std::mt19937 random(1);
  std::vector<int32_t> words;
  std::vector<int64_t> offsets{0};
  for (int sentence = 0; sentence < 50; ++sentence) {
    for (unsigned length = random() % 12; length > 0; --length)
      words.push_back(static_cast<int32_t>(random() % 31) - 1);
    offsets.push_back(static_cast<int64_t>(words.size()));
  }
  const corpus::Sentences sentences{words, offsets};
  const extract::phrases::OccurringPhrases occurring(sentences, 3);
  const std::set<Phrase> wanted = phrases_of(sentences, 3);
  for (const Phrase& phrase : wanted) CHECK(occurring.contains(phrase));
  size_t others = 0, wrong = 0;
  for (int32_t a = 0; a < 30; ++a)
    for (int32_t b = 0; b < 30; ++b)
      for (int32_t c = 0; c < 30; ++c) {
        const Phrase phrase{a, b, c};
        if (wanted.contains(phrase)) continue;
        ++others;
        wrong += occurring.contains(phrase) ? 1 : 0;
      }
  CHECK(others > 20000 && wrong * 12 < others);
}

TEST(without_sentences_no_phrase_occurs) {
  const std::vector<int64_t> none{0};
  const extract::phrases::OccurringPhrases occurring({{}, none}, 7);
  CHECK(!occurring.contains(Phrase{1, 2}));
}
