#include "tunesmith/tables/phrase_table.h"

#include <cstdio>
#include <string>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/text.h"
#include "tunesmith/tables/filter.h"
#include "tunesmith/tables/merge.h"
#include "tunesmith/tables/moses.h"
#include "tunesmith/tables/moses_writer.h"
#include "tunesmith/tables/phrase_table_builder.h"
#include "tunesmith/tables/significance.h"

namespace tunesmith::tables::phrase_table_test {

TextColumn words(std::initializer_list<const char*> list) {
  TextColumn column;
  for (const char* word : list) column.add(word);
  return column;
}

const TextColumn kSource = words({"ein", "mann", "lacht"});
const TextColumn kTarget = words({"a", "man", "laughs"});

struct TestPair {
  std::vector<int32_t> source, target;
  float probability;
};

/// A table file that is removed at the end of a test.
struct File {
  explicit File(const std::string& name) : path("phrase_table_test." + name + ".bin") {}
  ~File() { std::remove(path.c_str()); }
  std::string path;
};

/// `number_of` gives targets numbers of its own.
void build(const std::string& path, const std::vector<TestPair>& pairs,
           uint32_t (*number_of)(const TestPair&) = nullptr) {
  PhraseTableBuilder builder(path, {1, 0, 0});
  std::vector<int32_t> source;
  for (const TestPair& pair : pairs) {
    if (pair.source != source) builder.begin_source(pair.source);
    source = pair.source;
    const float scores[] = {pair.probability};
    ScoredPhrase phrase;
    phrase.target = pair.target;
    phrase.scores = scores;
    phrase.joint_count = 1;
    if (number_of != nullptr) phrase.target_number = number_of(pair);
    builder.add(phrase);
  }
  builder.finish(kSource.view(), kTarget.view(), "{}");
}

const std::vector<TestPair> kPairs{
    {{0, 1}, {0, 1}, 0.25F}, {{0, 1}, {1}, 0.75F}, {{0, 1, 2}, {2}, 1}, {{1}, {1}, 1}};

/// Counts sources and pairs.
struct Counter : PhraseSink {
  void begin_source(std::span<const int32_t>) override { ++sources; }
  void add(const ScoredPhrase& phrase) override {
    ++pairs;
    sum += phrase.scores[0];
  }
  size_t sources = 0, pairs = 0;
  double sum = 0;
};

TEST(numbers_of_targets_change_nothing) {
  const File plain("plain"), numbered("numbered"), mixed("mixed");
  build(plain.path, kPairs);
  build(numbered.path, kPairs, [](const TestPair& pair) {
    return static_cast<uint32_t>(100 - 10 * pair.target.front() - static_cast<int32_t>(pair.target.size()));
  });
  build(mixed.path, kPairs, [](const TestPair& pair) {
    return pair.source.size() == 2 ? static_cast<uint32_t>(pair.target.size()) : ScoredPhrase::kUnnumbered;
  });
  for (const std::string& path : {numbered.path, mixed.path}) {
    const PhraseTable expected(plain.path), table(path);
    CHECK(table.pair_count() == expected.pair_count());
    for (uint32_t pair = 0; pair < expected.pair_count(); ++pair) {
      CHECK(table.target(pair) == expected.target(pair));
      CHECK(std::ranges::equal(table.target_phrase(table.target(pair)),
                               expected.target_phrase(expected.target(pair))));
      CHECK(std::ranges::equal(table.scores(pair), expected.scores(pair)));
    }
  }
  const std::vector<TestPair> twice{{{0}, {1}, 0.5F}, {{0}, {1}, 0.5F}};
  const auto seven = [](const TestPair&) { return 7U; };
  CHECK_THROWS(build(mixed.path, twice, seven), InputError);
}

TEST(phrases_are_found_by_their_words) {
  const File file("find");
  build(file.path, kPairs);
  const PhraseTable table(file.path);
  CHECK(table.pair_count() == 4);
  CHECK(table.source_count() == 3);
  CHECK(table.find(std::vector<int32_t>{0}).empty());
  CHECK(table.find(std::vector<int32_t>{}).empty());
  CHECK(table.find(std::vector<int32_t>{-1}).empty());
  const PairRange found = table.find(std::vector<int32_t>{0, 1});
  CHECK(found.size() == 2);
  CHECK_NEAR(table.scores(found.begin)[0], 0.75F, 0);
  CHECK_NEAR(table.scores(found.begin + 1)[0], 0.25F, 0);
  CHECK_THROWS(table.pair(4, 2), InputError);
}

TEST(spans_of_a_sentence_are_enumerated) {
  const File file("spans");
  build(file.path, kPairs);
  const PhraseTable table(file.path);
  std::vector<std::pair<size_t, size_t>> spans;
  table.for_each_span(std::vector<int32_t>{0, 1, 2, -1, 1},
                      [&](size_t begin, size_t end, PairRange) { spans.emplace_back(begin, end); });
  CHECK((spans == std::vector<std::pair<size_t, size_t>>{{0, 2}, {0, 3}, {1, 2}, {4, 5}}));
}

TEST(logs_have_a_floor) {
  CHECK_NEAR(log_score(0.5F), -0.6931472F, 1e-7F);
  CHECK(log_score(0) == kLogFloor);
  CHECK(log_score(1e-45F) == kLogFloor);
  CHECK(log_score(std::nanf("")) == kLogFloor);
}

TEST(a_table_without_finish_leaves_no_file) {
  const File file("none");
  {
    PhraseTableBuilder builder(file.path, {1, 0, 0});
    builder.begin_source(std::vector<int32_t>{0});
  }
  CHECK_THROWS(PhraseTable(file.path), InputError);
}

TEST(filters_and_merges_stream_into_any_sink) {
  const File first("first"), second("second");
  build(first.path, kPairs);
  build(second.path, {{{1}, {0}, 1}, {{1}, {1}, 0.5F}, {{2}, {2}, 1}});
  const PhraseTable one(first.path), two(second.path);
  const std::vector<int32_t> text{1, 2};
  const std::vector<int64_t> offsets{0, 2};
  Counter filtered, pruned, joined, filled;
  filter_table(one, {text, offsets}, kSource.view(), filtered);
  CHECK(filtered.pairs == 1);
  prune_table(one, {0, 0.5F, 0}, pruned);
  CHECK(pruned.pairs == 3);
  const JoinedTables tables({&one, &two});
  tables.interpolate({std::vector<double>{0.5, 0.5}}, joined);
  CHECK(joined.sources == 4 && joined.pairs == 6);
  CHECK_NEAR(joined.sum, 0.5 * 3 + 0.5 * 2.5, 1e-6);
  tables.fill_up(false, filled);
  CHECK_NEAR(filled.sum, 3 + 2, 1e-6);
}

TEST(a_single_pair_is_as_significant_as_the_corpus_is_large) {
  CHECK_NEAR(log_significance({1, 1, 1, 1000}), std::log(1000), 1e-9);
  CHECK_NEAR(log_significance({10, 10, 0, 1000}), 0, 1e-9);
  CHECK_THROWS(log_significance({1, 1, 2, 10}), InputError);
}

TEST(a_damaged_file_is_an_error_or_other_values) {
  const File file("whole"), broken("broken");
  build(file.path, kPairs);
  std::string whole;
  {
    std::FILE* stream = std::fopen(file.path.c_str(), "rb");
    char buffer[4096];
    for (size_t n; (n = std::fread(buffer, 1, sizeof buffer, stream)) > 0;) whole.append(buffer, n);
    std::fclose(stream);
  }
  size_t refused = 0;
  uint64_t random = 1;
  for (size_t at = 0; at < whole.size(); ++at) {
    std::string content = whole;
    random = mix(random, at);
    content[at] = static_cast<char>(random % 3 == 0 ? 0xff : random >> 8);
    std::FILE* stream = std::fopen(broken.path.c_str(), "wb");
    std::fwrite(content.data(), 1, content.size(), stream);
    std::fclose(stream);
    try {
      const PhraseTable table(broken.path);
      Counter counter;
      const std::vector<int32_t> text{0, 1, 2, 1};
      const std::vector<int64_t> offsets{0, 4};
      filter_table(table, {text, offsets}, kSource.view(), counter);
      prune_table(table, {0, 0, 1}, counter);
      JoinedTables({&table, &table}).interpolate({std::vector<double>{0.5, 0.5}}, counter);
      count_phrases(table, {text, offsets}, kSource.view(), {text, offsets}, kTarget.view());
      std::string printed;
      MosesWriter(table).next_phrases(1 << 20, printed);
    } catch (const InputError&) {
      ++refused;
    }
  }
  CHECK(refused > whole.size() / 10);
}

TEST(broken_lines_are_an_error_or_a_table) {
  const File file("fuzz");
  const std::string line = "ein mann ||| a man ||| 0.5 1e-3 1 1 ||| 0-0 1-1 ||| 2 1 1 ||| |||\n";
  uint64_t random = 7;
  for (int i = 0; i < 500; ++i) {
    std::string text = line + "ein ||| a ||| 1 1 1 1\n";
    for (int edits = 0; edits < 3; ++edits) {
      random = mix(random, static_cast<uint64_t>(i));
      const size_t at = random % text.size();
      if (random >> 60 < 8)
        text.erase(at, random >> 8 & 7);
      else
        text.insert(at, 1, "|-. 0\n9e\xff"[random >> 16 & 7]);
    }
    MosesReordering reordering;
    MosesTableParser parser(file.path, {}, 2);
    try {
      parser.feed(text);
      parser.finish();
      parser.write("{}");
    } catch (const InputError&) {
    }
    try {
      reordering.feed(text);
      reordering.finish();
    } catch (const InputError&) {
    }
  }
}

TEST(lines_are_printed_in_order) {
  const File file("print");
  build(file.path, kPairs);
  const PhraseTable table(file.path);
  MosesWriter writer(table);
  std::string text;
  CHECK(!writer.next_phrases(1 << 20, text));
  CHECK(text ==
        "ein mann lacht ||| laughs ||| 1 |||  ||| 0 0 1 ||| |||\n"
        "ein mann ||| a man ||| 0.25 |||  ||| 0 0 1 ||| |||\n"
        "ein mann ||| man ||| 0.75 |||  ||| 0 0 1 ||| |||\n"
        "mann ||| man ||| 1 |||  ||| 0 0 1 ||| |||\n");
}

}  // namespace tunesmith::tables::phrase_table_test
