#include "tunesmith/extract/rules/counts.h"

#include <algorithm>
#include <random>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/extract/rules/choice.h"
#include "tunesmith/extract/rules/format.h"
#include "tunesmith/grammar/rule_text.h"

namespace tunesmith::extract::rules::counts_test {

TextColumn column(std::initializer_list<const char*> words) {
  TextColumn texts;
  for (const char* word : words) texts.add(word);
  return texts;
}

/// Sentence pairs of random words and links.
struct Corpus {
  std::vector<int32_t> source, target;
  std::vector<int64_t> source_offsets{0}, target_offsets{0}, link_offsets{0};
  std::vector<corpus::Link> links;

  explicit Corpus(size_t pairs) {
    std::mt19937 random(1);
    for (size_t p = 0; p < pairs; ++p) {
      const int32_t n = static_cast<int32_t>(random() % 8), m = static_cast<int32_t>(random() % 8);
      for (int32_t i = 0; i < n; ++i) source.push_back(static_cast<int32_t>(random() % 3));
      for (int32_t j = 0; j < m; ++j) target.push_back(static_cast<int32_t>(random() % 3));
      for (int32_t i = 0; i < n; ++i)
        for (int32_t j = 0; j < m; ++j)
          if (random() % 6 == 0) links.push_back({i, j});
      source_offsets.push_back(static_cast<int64_t>(source.size()));
      target_offsets.push_back(static_cast<int64_t>(target.size()));
      link_offsets.push_back(static_cast<int64_t>(links.size()));
    }
  }
  size_t pairs() const { return link_offsets.size() - 1; }
};

std::string table_of(const Corpus& corpus, size_t memory, int threads) {
  const TextColumn words = column({"a", "b", "[X]"});
  RuleCountOptions options;
  options.limits = {.max_target_span = 10, .tight = false};
  options.fractional = true;
  options.memory_bytes = memory;
  options.threads = threads;
  RuleCounts counts(words.view(), words.view(), options);
  const corpus::Sentences source{corpus.source, corpus.source_offsets},
      target{corpus.target, corpus.target_offsets};
  const corpus::Alignments alignments{corpus.links, corpus.link_offsets};
  counts.add(source, target, alignments, 0, corpus.pairs() / 3);
  counts.add(source, target, alignments, corpus.pairs() / 3, corpus.pairs());
  CHECK(counts.on_disk() == (memory < 1000));
  const phrases::LexiconCounts lexicon_counts = phrases::count_words(source, target, alignments, {}, 1);
  const phrases::Lexicon lexicon(lexicon_counts.sources, lexicon_counts.targets, lexicon_counts.folds,
                                 lexicon_counts.counts, -1);
  RuleGroups groups(counts);
  const std::vector<std::string> printed = grammar::rule_words(words.view());
  const RuleLines lines(printed, printed, RuleFormat::kMoses, std::vector<std::string>(RuleLines::kFeatures));
  std::string text;
  while (append_lines(groups, counts, lexicon, lines, 100, text)) {
  }
  CHECK(static_cast<uint64_t>(std::count(text.begin(), text.end(), '\n')) == groups.rules());
  return text;
}

TEST(numbers_in_keys_sort_as_numbers) {
  std::string last;
  for (const uint32_t value : {0u, 1u, 127u, 128u, 300u, 16383u, 16384u, 2097151u, 2097152u, 4294967295u}) {
    std::string key;
    append_ordered(value, key);
    CHECK(last < key);
    const char* at = key.data();
    CHECK(read_ordered(at) == value);
    CHECK(at == key.data() + key.size());
    last = key;
  }
}

TEST(keys_hold_rules_and_sort_by_text) {
  const TextColumn words = column({"z", "[X]", "[X][X]", "A"});
  const SymbolOrder order(words.view());
  const std::vector<grammar::Symbol> source{-1, 0, -2}, target{-2, 3, 1, -1};
  const std::vector<corpus::Link> links{{1, 1}, {1, 2}};
  std::string key;
  const KeyParts parts = write_key({source, target, links}, order, order, key);
  DecodedRule rule;
  rule.read_source({key.data(), parts.source}, order);
  rule.read_target({key.data() + parts.source, parts.target - parts.source}, key[parts.target] != 0, order);
  rule.read_links({key.data() + parts.rule(), key.size() - parts.rule()});
  CHECK(std::ranges::equal(rule.view().source, source));
  CHECK(std::ranges::equal(rule.view().target, target));
  CHECK(std::ranges::equal(rule.view().alignment, links));
  CHECK(order.rank(3) < order.end());     // A before [X]
  CHECK(order.end() < order.rank(-1));    // [X] before [X][X]
  CHECK(order.rank(-1) < order.rank(0));  // and this before z
  CHECK(order.rank(1) != order.end());    // the word `[X]` is not the end
}

TEST(tables_do_not_depend_on_memory_or_threads) {
  const Corpus corpus(200);
  const std::string expected = table_of(corpus, size_t{1} << 30, 1);
  CHECK(!expected.empty());
  CHECK(table_of(corpus, size_t{1} << 30, 3) == expected);
  CHECK(table_of(corpus, 100, 2) == expected);
}

TEST(fractions_of_one_sum_to_nearly_one) {
  for (const int64_t n : {1, 2, 3, 7, 600, 100000})
    CHECK_NEAR(static_cast<double>(n) * weight_value(weight_of(n)), 1.0, 1e-5);
}

TEST(ties_between_alignments_are_broken_as_in_moses) {
  // As lists of sets by target position: {0}, {1} comes before {1}, {0}, and {0}, {} before {0}, {1}.
  const std::vector<corpus::Link> straight{{0, 0}, {1, 1}}, crossed{{0, 1}, {1, 0}}, single{{0, 0}};
  CHECK(after_by_target(crossed, straight));
  CHECK(!after_by_target(straight, crossed));
  CHECK(after_by_target(straight, single));
  CHECK(!after_by_target(single, single));
  const std::vector<corpus::Link> fan{{0, 0}, {0, 1}}, tail{{0, 1}};
  CHECK(after_by_source(tail, fan));  // {1} after {0, 1}
  CHECK(after_by_target(fan, tail));  // {0}, {0} after {}, {0}
}

TEST(bad_words_and_links_are_refused) {
  const TextColumn words = column({"a"});
  RuleCounts counts(words.view(), words.view(), {});
  const std::vector<int32_t> good{0}, bad{1};
  const std::vector<int64_t> one{0, 1};
  const std::vector<corpus::Link> link{{0, 0}}, outside{{0, 1}};
  CHECK_THROWS(counts.add({bad, one}, {good, one}, {link, one}, 0, 1), InputError);
  CHECK_THROWS(counts.add({good, one}, {bad, one}, {link, one}, 0, 1), InputError);
  CHECK_THROWS(counts.add({good, one}, {good, one}, {outside, one}, 0, 1), InputError);
  CHECK_THROWS(counts.add({good, one}, {good, one}, {link, one}, 0, 2), InputError);
}

}  // namespace tunesmith::extract::rules::counts_test
