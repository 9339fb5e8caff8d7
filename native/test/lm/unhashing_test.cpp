#include "tunesmith/lm/unhashing.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "check.h"
#include "tunesmith/base/name_table.h"
#include "tunesmith/lm/model_builder.h"

namespace tunesmith::lm::unhashing_test {

constexpr int32_t kWords = 60;
constexpr size_t kOrder = 4;

using Ngram = std::vector<int32_t>;  // oldest first

/// A file that is removed when the test ends.
struct TemporaryFile {
  std::string path = "/tmp/tunesmith_unhashing_test." + std::to_string(getpid());
  ~TemporaryFile() { std::remove(path.c_str()); }
};

/// Writes random n-grams and all parts of them; returns their log10 probabilities, by order.
std::vector<std::map<Ngram, float>> build(const std::string& path) {
  std::mt19937 random(3);
  std::vector<std::map<Ngram, float>> ngrams(kOrder);
  const auto draw = [&] { return -float(1 + random() % 1000) / 250; };
  for (int32_t word = 0; word < kWords; ++word) ngrams[0][{word}] = draw();
  for (int i = 0; i < 3000; ++i) {
    Ngram words(kOrder);
    for (int32_t& word : words) word = 3 + static_cast<int32_t>(random() % (kWords - 3));
    for (size_t begin = 0; begin < kOrder; ++begin)
      for (size_t end = begin + 1; end <= kOrder; ++end)
        ngrams[end - begin - 1].emplace(Ngram(words.begin() + begin, words.begin() + end), draw());
  }
  TextColumn words;
  for (const char* mark : {"<unk>", "<s>", "</s>"}) words.add(mark);
  for (int32_t i = 3; i < kWords; ++i) words.add("w" + std::to_string(i));
  std::vector<uint64_t> counts;
  for (const auto& order : ngrams) counts.push_back(order.size());
  NgramLmBuilder builder(path);
  builder.begin(words.view(), counts);
  for (const auto& order : ngrams)
    for (const auto& [ngram, probability] : order) builder.add(ngram, probability, -0.5F);
  builder.end();
  return ngrams;
}

uint64_t hash_ngram(const Ngram& words) {
  uint64_t hash = hash_word(words.back());
  for (size_t i = words.size() - 1; i-- > 0;) hash = extend_hash(hash, words[i]);
  return hash;
}

TEST(the_words_of_every_ngram_are_recovered_from_its_hash) {
  const TemporaryFile file;
  const auto ngrams = build(file.path);
  const NgramLm model(file.path);
  std::vector<uint32_t> numbers(kWords);  // a vocabulary in which other words are between the model's
  std::vector<int32_t> own(3 * kWords);
  for (uint32_t word = 0; word < kWords; ++word) {
    numbers[word] = 3 * ((word * 7) % kWords) + 1;
    own[numbers[word]] = static_cast<int32_t>(word);
  }
  const SuffixTrie trie = unhash(model, numbers);
  CHECK(trie.order() == kOrder);
  for (size_t n = 1; n <= kOrder; ++n) {
    const TrieLevel& level = trie.levels[n - 1];
    CHECK(level.size() == ngrams[n - 1].size());
    CHECK(std::is_sorted(level.keys().begin(), level.keys().end()));
    for (uint32_t i = 0; i < level.size(); ++i) {
      Ngram words;
      uint32_t at = i;
      for (size_t k = n; k > 0; --k) {
        words.push_back(own[trie.levels[k - 1].word(at)]);
        at = trie.levels[k - 1].suffix(at);
      }
      const auto found = ngrams[n - 1].find(words);
      CHECK(found != ngrams[n - 1].end());
      CHECK(std::abs(log_probability(trie.weights[n - 1][i].probability) - found->second * std::log(10)) <
            1e-5);
      CHECK(level.find(level.suffix(i), level.word(i)) == i);
      if (n == 1) continue;
      const Ngram context(words.begin(), words.end() - 1);
      CHECK(context_hash(trie, own, static_cast<uint32_t>(n), level.suffix(i), level.word(i)) ==
            hash_ngram(context));
    }
  }
}

TEST(a_trie_does_not_find_ngrams_that_it_lacks) {
  const TrieLevel level({TrieLevel::key(0, 2), TrieLevel::key(0, 5), TrieLevel::key(2, 1)}, 3);
  CHECK(level.find(0, 5) == 1);
  CHECK(level.find(2, 1) == 2);
  for (const auto& [suffix, word] : {std::pair{0U, 1U}, {0U, 3U}, {0U, 6U}, {1U, 5U}, {2U, 2U}})
    CHECK(level.find(suffix, word) == TrieLevel::kNone);
}

}  // namespace tunesmith::lm::unhashing_test
