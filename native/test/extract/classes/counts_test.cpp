#include "tunesmith/extract/classes/counts.h"

#include <random>

#include "check.h"

namespace tunesmith::extract::classes::counts_test {

TEST(the_gains_of_all_classes_at_once_are_those_of_each) {
  constexpr size_t kWords = 40, kClasses = 7;
  constexpr auto kBorder = static_cast<int32_t>(kClasses), kWaiting = kBorder + 1;
  std::mt19937 random(1);
  std::vector<int32_t> words, classes;
  std::vector<int64_t> offsets{0};
  for (int sentence = 0; sentence < 60; ++sentence) {
    for (uint32_t left = random() % 9; left > 0; --left)
      words.push_back(static_cast<int32_t>(random() % kWords * (random() % kWords) / kWords));
    offsets.push_back(static_cast<int64_t>(words.size()));
  }
  for (size_t word = 0; word < kWords; ++word)
    classes.push_back(word % 5 == 0 ? kWaiting : static_cast<int32_t>(random() % kClasses));
  classes.push_back(kBorder);
  const Bigrams bigrams = count_bigrams({words, offsets}, kWords);
  ClassCounts counts(bigrams, classes, kClasses + 2);
  std::vector<int64_t> scratch(kClasses + 2);
  std::vector<double> gains(kClasses);
  ContextCounts context;
  for (size_t word = 0; word < kWords; ++word) {
    if (bigrams.counts[word] == 0) continue;
    counts.count_context(word, scratch, context);
    const int32_t from = counts.classes()[word];
    counts.gains(context, from, gains);
    for (int32_t to = 0; to < kBorder; ++to)
      if (to != from) CHECK(gains[static_cast<size_t>(to)] == counts.gain(context, from, to));
    counts.move(word, context, static_cast<int32_t>(word % kClasses));
  }
}

}  // namespace tunesmith::extract::classes::counts_test
