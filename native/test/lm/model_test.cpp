#include "tunesmith/lm/model.h"

#include <unistd.h>

#include <cstdio>
#include <random>
#include <set>
#include <string>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/lm/arpa_reader.h"
#include "tunesmith/lm/chart.h"
#include "tunesmith/lm/model_builder.h"

namespace tunesmith::lm::model_test {

constexpr int32_t kWords = 40;

/// A file that is removed when the test ends.
struct TemporaryFile {
  std::string path = "/tmp/tunesmith_ngram_lm_test." + std::to_string(getpid());
  ~TemporaryFile() { std::remove(path.c_str()); }
};

TextColumn vocabulary() {
  TextColumn words;
  for (const char* mark : {"<unk>", "<s>", "</s>"}) words.add(mark);
  for (int32_t i = 3; i < kWords; ++i) words.add("w" + std::to_string(i));
  return words;
}

/// Sends n-grams of order 4 and all their sub-n-grams, with random weights, to the builder.
void build(const std::string& path, size_t longest) {
  std::mt19937 random(1);
  std::array<std::set<std::vector<int32_t>>, 5> ngrams;
  for (int32_t word = 0; word < kWords; ++word) ngrams[1].insert({word});
  for (size_t i = 0; i < longest; ++i) {
    std::vector<int32_t> words(4);
    for (int32_t& word : words) word = 3 + static_cast<int32_t>(random() % (kWords - 3));
    for (size_t begin = 0; begin < 4; ++begin)
      for (size_t end = begin + 1; end <= 4; ++end)
        ngrams[end - begin].insert({words.begin() + begin, words.begin() + end});
  }
  NgramLmBuilder builder(path);
  const TextColumn words = vocabulary();
  const uint64_t counts[] = {ngrams[1].size(), ngrams[2].size(), ngrams[3].size(), ngrams[4].size()};
  builder.begin(words.view(), counts);
  for (size_t order = 1; order <= 4; ++order)
    for (const auto& ngram : ngrams[order])
      builder.add(ngram, -float(random() % 1000) / 250, -float(random() % 1000) / 500);
  builder.end();
}

TEST(a_batch_of_queries_equals_single_queries) {
  const TemporaryFile file;
  build(file.path, 5000);
  const NgramLm model(file.path), copied(file.path, true);
  std::mt19937 random(2);
  std::vector<LmState> states{model.begin_state(), model.empty_state()};
  for (int i = 0; i < 3000; ++i) {
    LmState next;
    model.score(states[random() % states.size()], static_cast<int32_t>(random() % kWords), next);
    states.push_back(next);
  }
  for (size_t size : {0, 1, 7, 8, 9, 1000}) {
    std::vector<LmQuery> queries;
    for (size_t i = 0; i < size; ++i)
      queries.push_back(
          {&states[random() % states.size()], static_cast<int32_t>(random() % (kWords + 5)) - 2});
    std::vector<float> scores(size);
    std::vector<LmState> out(size);
    model.score(queries, scores, out);
    for (size_t i = 0; i < size; ++i) {
      LmState one, other;
      CHECK(model.score(*queries[i].state, queries[i].word, one) == scores[i]);
      CHECK(copied.score(*queries[i].state, queries[i].word, other) == scores[i]);
      CHECK(one == out[i] && other == out[i] && one.hash() == out[i].hash());
    }
  }
  std::vector<float> few(1);
  std::vector<LmState> out(2);
  const std::vector<LmQuery> two{{&states[0], 1}, {&states[0], 1}};
  CHECK_THROWS(model.score(two, few, out), InputError);
}

TEST(words_that_are_not_in_the_model_are_the_unknown_word) {
  const TemporaryFile file;
  build(file.path, 10);
  const NgramLm model(file.path);
  LmState out;
  const float unknown = model.score(model.begin_state(), model.unknown(), out);
  for (int32_t word : {-1, kWords, INT32_MAX, INT32_MIN})
    CHECK(model.score(model.begin_state(), word, out) == unknown);
  CHECK(model.find("w5") == 5 && model.find("none") == model.unknown());
}

TEST(the_builder_refuses_invalid_models) {
  const TemporaryFile file;
  const TextColumn words = vocabulary();
  const uint64_t counts[] = {kWords, 1};
  const auto begun = [&](NgramLmBuilder& builder) {
    builder.begin(words.view(), counts);
    for (int32_t word = 0; word < kWords; ++word) builder.add({{word}}, -1, 0);
  };
  const std::vector<int32_t> bigram{3, 4}, foreign{3, kWords}, negative{3, -1}, trigram{3, 4, 5}, again{3};
  NgramLmBuilder one(file.path), two(file.path), three(file.path), four(file.path), five(file.path);
  for (NgramLmBuilder* builder : {&one, &two, &three, &four, &five}) begun(*builder);
  CHECK_THROWS(one.add(foreign, -1, 0), InputError);
  CHECK_THROWS(one.add(negative, -1, 0), InputError);
  CHECK_THROWS(one.add(trigram, -1, 0), InputError);
  CHECK_THROWS(two.add(again, -1, 0), InputError);
  CHECK_THROWS(three.add(bigram, NAN, 0), InputError);
  CHECK_THROWS(three.add(bigram, 0.5F, 0), InputError);
  CHECK_THROWS(three.add(bigram, -1, INFINITY), InputError);
  four.add(bigram, -1, 0);
  CHECK_THROWS(four.add(bigram, -1, 0), InputError);
  CHECK_THROWS(five.end(), InputError);  // a bigram is missing
  CHECK_THROWS(five.begin(words.view(), counts), InputError);
  CHECK_THROWS(NgramLmBuilder(file.path).end(), InputError);
  CHECK_THROWS(NgramLmBuilder(file.path).begin({}, {}), InputError);
}

TEST(a_table_grows_beyond_its_expected_size) {
  NgramTableBuilder<LongestLine> table(3);
  std::mt19937_64 random(3);
  std::vector<uint64_t> hashes(10000);
  for (uint64_t& hash : hashes) hash = random();
  hashes[0] = 0;  // the key of a free slot
  for (size_t i = 0; i < hashes.size(); ++i) CHECK(table.insert(hashes[i], static_cast<float>(i)));
  CHECK(!table.insert(hashes[5], 0));
  const NgramTable<LongestLine> view(table.lines(), table.reach());
  for (size_t i = 0; i < hashes.size(); ++i) CHECK(view.find(hashes[i]) && *view.find(hashes[i]) == float(i));
  for (int i = 0; i < 10000; ++i) CHECK(view.find(random()) == nullptr);
}

TEST(the_chunks_of_an_arpa_file_do_not_change_the_model) {
  const std::string text =
      "\\data\\\nngram 1=4\nngram 2=1\n\n\\1-grams:\n-1\t<s>\t-0.5\n-1\t</s>\n-2\ta\n-3\t<unk>\n\n"
      "\\2-grams:\n-0.25\t<s> a\n\n\\end\\\n";
  for (size_t step = 1; step < text.size(); step += 3) {
    const TemporaryFile file;
    NgramLmBuilder builder(file.path);
    ArpaReader reader(builder);
    for (size_t at = 0; at < text.size(); at += step) reader.feed(std::string_view(text).substr(at, step));
    reader.finish();
    const NgramLm model(file.path);
    LmState out;
    CHECK_NEAR(model.score(model.begin_state(), model.find("a"), out), -0.25 * 2.302585, 1e-5);
    CHECK(out.length == 0);
  }
}

TEST(scores_of_partial_translations_add_up_to_that_of_the_sentence) {
  const TemporaryFile file;
  build(file.path, 3000);
  const NgramLm model(file.path);
  std::mt19937 random(4);
  for (int run = 0; run < 300; ++run) {
    std::vector<int32_t> words(1 + random() % 10);
    for (int32_t& word : words) word = static_cast<int32_t>(random() % kWords);
    const size_t cut = random() % words.size();
    LmPiece first(model), second(model), whole(model), plain(model);
    for (size_t i = 0; i < words.size(); ++i) (i < cut ? first : second).word(words[i]);
    whole.begin_sentence();
    whole.piece(first.state());
    whole.piece(second.state());
    plain.begin_sentence();
    for (int32_t word : words) plain.word(word);
    CHECK_NEAR(first.score() + second.score() + whole.score(), plain.score(), 1e-4);
    CHECK(whole.state() == plain.state() && whole.state().hash() == plain.state().hash());
  }
}

}  // namespace tunesmith::lm::model_test
