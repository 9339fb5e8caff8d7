#include "tunesmith/grammar/from_memory.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <random>
#include <string>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/grammar/from_table.h"
#include "tunesmith/grammar/rule_parser.h"
#include "tunesmith/grammar/text.h"

namespace tunesmith::grammar::from_memory_test {

const std::vector<std::string> kNames{"a", "b"};
const std::string kMoses =
    "der [X][X] [X] ||| the [X][X] [X] ||| 0.5 0 ||| 0-0 1-1 ||| 4 2 2 ||| |||\n"
    "[X][X] von [X][X] [X] ||| [X][X] 's [X][X] [X] ||| 1 0.25 ||| 0-2 1-1 2-0 ||| 1 1 1 ||| |||\n"
    "der [X] ||| the [X] ||| 1 1 ||| 0-0 ||| 1 1 1 ||| |||\n"
    "der [X] ||| he [X] ||| 1 0.5 ||| 0-0 ||| 1 1 1 ||| |||\n";
const std::string kCdec =
    "[S] ||| <s> ||| <s>\n[S] ||| [S,1] </s> ||| [1] </s> ||| ||| 1-1\n"
    "[S] ||| [S,1] [X,2] ||| [1] [2] ||| Glue=1\n"
    "[NP] ||| der [NN,1] ||| the [NN,1] ||| f=0.25 g=1 ||| 0-0\n";

/// A random side of words 0, 1 and gaps of categories 0, 1.
std::vector<Symbol> random_side(std::mt19937& random) {
  std::vector<Symbol> side(random() % 4 + 1);
  for (Symbol& symbol : side) symbol = static_cast<Symbol>(random() % 4) - 2;
  return side;
}

std::vector<Symbol> gaps_of(const std::vector<Symbol>& source) {
  std::vector<Symbol> gaps;
  for (const Symbol symbol : source)
    if (is_gap(symbol)) gaps.push_back(gap_symbol(gaps.size()));
  return gaps;
}

uint32_t walk(const RuleTrie& grammar, const std::vector<Symbol>& source) {
  uint32_t node = RuleTrie::kRoot, gaps = 0;
  for (const Symbol symbol : source) {
    if (node == RuleTrie::kNoNode) return node;
    node = is_gap(symbol) ? grammar.by_gap(node, gaps++, static_cast<uint32_t>(gap_index(symbol)))
                          : grammar.by_word(node, symbol);
  }
  return node;
}

TEST(rules_are_found_by_their_source_sides_in_the_order_of_insertion) {
  std::mt19937 random(1);
  MemoryGrammarBuilder builder;
  builder.category("A"), builder.category("B");
  builder.source_word("x"), builder.source_word("y");
  const uint32_t column = builder.feature("number");
  std::map<std::vector<Symbol>, std::vector<uint32_t>> expected;
  for (uint32_t rule = 0; rule < 2000; ++rule) {
    const auto source = random_side(random), target = gaps_of(source);
    const std::vector<FeatureValue> values{{column, static_cast<float>(rule)}};
    builder.add({rule % 2, source, target, {}, values, Border::kNone});
    expected[source].push_back(rule);
  }
  const auto grammar = builder.build();
  CHECK(grammar->rule_count() == 2000);
  for (const auto& [source, numbers] : expected) {
    const uint32_t node = walk(*grammar, source);
    CHECK(node != RuleTrie::kNoNode && grammar->has_rules(node));
    RuleRows rows;
    grammar->rules(node, rows);
    CHECK(rows.numbers == numbers);
    for (size_t i = 0; i < rows.size(); ++i) {
      CHECK(rows.values[i][0].value == static_cast<float>(numbers[i]));
      CHECK(rows.categories[i] == numbers[i] % 2);
      CHECK((std::ranges::equal(rows.targets[i], gaps_of(source))));
    }
    std::vector<Symbol> found = grammar->source(node);
    for (size_t i = 0, gaps = 0; i < found.size(); ++i)
      CHECK(is_gap(source[i]) ? found[i] == gap_symbol(gaps++) : found[i] == source[i]);
  }
  CHECK(grammar->by_word(RuleTrie::kRoot, -1) == RuleTrie::kNoNode);
  CHECK(grammar->by_word(RuleTrie::kRoot, 7) == RuleTrie::kNoNode);
  CHECK(grammar->by_gap(RuleTrie::kRoot, 0, 2) == RuleTrie::kNoNode);
  CHECK(grammar->by_gap(RuleTrie::kRoot, 0, kNoNumber) == RuleTrie::kNoNode);
}

TEST(an_invalid_rule_is_rejected_and_the_next_one_is_accepted) {
  MemoryGrammarBuilder builder;
  const uint32_t x = builder.category("X"), f = builder.feature("f");
  const Symbol a = builder.source_word("a"), b = builder.target_word("b");
  const std::vector<Symbol> none, word{a}, gap{-1}, target{b}, both{-1, -1}, other{-2}, unknown{9};
  const std::vector<corpus::Link> outside{{0, 1}}, of_gap{{0, 0}};
  const std::vector<FeatureValue> twice{{f, 1}, {f, 2}}, nameless{{9, 1}}, infinite{{f, INFINITY}},
      one{{f, 1}};
  const auto add = [&](const std::vector<Symbol>& source, const std::vector<Symbol>& side,
                       std::span<const corpus::Link> links, std::span<const FeatureValue> values,
                       uint32_t category) {
    builder.add({category, source, side, links, values, Border::kNone});
  };
  CHECK_THROWS(add(none, target, {}, {}, x), InputError);
  CHECK_THROWS(add(word, target, {}, {}, 5), InputError);
  CHECK_THROWS(add(gap, none, {}, {}, x), InputError);
  CHECK_THROWS(add(gap, both, {}, {}, x), InputError);
  CHECK_THROWS(add(gap, other, {}, {}, x), InputError);
  CHECK_THROWS(add(other, gap, {}, {}, x), InputError);
  CHECK_THROWS(add(unknown, target, {}, {}, x), InputError);
  CHECK_THROWS(add(word, unknown, {}, {}, x), InputError);
  CHECK_THROWS(add(word, target, outside, {}, x), InputError);
  CHECK_THROWS(add(gap, gap, of_gap, {}, x), InputError);
  CHECK_THROWS(add(word, target, {}, twice, x), InputError);
  CHECK_THROWS(add(word, target, {}, nameless, x), InputError);
  CHECK_THROWS(add(word, target, {}, infinite, x), InputError);
  add(word, target, of_gap, one, x);
  add(gap, gap, {}, one, x);
  CHECK(builder.build()->rule_count() == 2);
}

TEST(a_table_and_its_text_are_the_same_trie) {
  RuleParser parser(kNames);
  // Many words below one node, so that children are found by hashing and by binary search.
  std::string text = kMoses;
  for (int i = 0; i < 100; ++i)
    text += "der w" + std::to_string(i) + " [X] ||| t [X] ||| 1 1 ||| 0-0 ||| 1 1 1\n";
  parser.feed(text);
  parser.finish();
  const std::string path = "memory_grammar_test." + std::to_string(std::rand()) + ".tmp";
  parser.builder().write(path, "{}");
  {
    const TableGrammar table(std::make_shared<RuleTable>(path));
    const auto memory = parse_grammar(text, kNames);
    CHECK(table.rule_count() == memory->rule_count());
    CHECK(table.categories() == memory->categories() && table.feature_names() == memory->feature_names());
    size_t found = 0;
    std::vector<std::pair<uint32_t, uint32_t>> nodes{{RuleTrie::kRoot, RuleTrie::kRoot}};
    std::vector<uint32_t> gaps{0};
    for (size_t i = 0; i < nodes.size(); ++i) {
      const auto [a, b] = nodes[i];
      RuleRows left, right;
      table.rules(a, left);
      memory->rules(b, right);
      CHECK(left.size() == right.size() && table.has_rules(a) == memory->has_rules(b));
      found += left.size();
      CHECK(left.links.values == right.links.values);
      CHECK(left.targets.values == right.targets.values);
      CHECK(table.source(a) == memory->source(b));  // words are interned in the same order
      for (size_t k = 0; k < left.size(); ++k)
        for (const FeatureValue& value : left.values[k]) {
          const auto row = right.values[k];
          CHECK(std::find(row.begin(), row.end(), value) != row.end());
        }
      for (int32_t word = -1; memory->find_word("w99") >= word; ++word) {
        const uint32_t x = table.by_word(a, word), y = memory->by_word(b, word);
        CHECK((x == RuleTrie::kNoNode) == (y == RuleTrie::kNoNode));
        if (x != RuleTrie::kNoNode) nodes.push_back({x, y}), gaps.push_back(gaps[i]);
      }
      const uint32_t x = table.by_gap(a, gaps[i], 0), y = memory->by_gap(b, gaps[i], 0);
      CHECK((x == RuleTrie::kNoNode) == (y == RuleTrie::kNoNode));
      CHECK(table.by_gap(a, gaps[i], 1) == RuleTrie::kNoNode);
      if (x != RuleTrie::kNoNode) nodes.push_back({x, y}), gaps.push_back(gaps[i] + 1);
    }
    CHECK(found == table.rule_count());
  }
  std::remove(path.c_str());
}

TEST(sentence_markers_are_borders) {
  const auto grammar = parse_grammar(kCdec, {});
  CHECK(grammar->find_word("<s>") == -1 && grammar->find_word("</s>") == -1);
  RuleRows rows;
  grammar->rules(grammar->by_word(RuleTrie::kRoot, grammar->find_word(kBeginMark)), rows);
  const uint32_t gap = grammar->by_gap(RuleTrie::kRoot, 0, 0);
  grammar->rules(grammar->by_word(gap, grammar->find_word(kEndMark)), rows);
  CHECK(rows.borders == (std::vector{Border::kBegin, Border::kEnd}));
  CHECK(rows.targets[0].empty() && rows.targets[1].size() == 1 && rows.links.values.empty());
}

TEST(mutated_grammars_are_errors_or_grammars) {
  std::mt19937 random(1);
  const std::string_view pieces[] = {"|||", "[X]", "[X][S]", "[X,1]", "[2]", " ",    "-",
                                     "=",   "9",   "\n",     "nan",   "<s>", "</s>", "["};
  size_t grammars = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = round % 2 == 0 ? kMoses : kCdec;
    for (size_t edits = random() % 4 + 1; edits > 0 && !text.empty(); --edits) {
      const size_t at = random() % text.size();
      if (random() % 2 == 0)
        text.erase(at, random() % 6);
      else
        text.insert(at, pieces[random() % std::size(pieces)]);
    }
    try {
      grammars += parse_grammar(text, kNames)->rule_count() > 0;
    } catch (const InputError& error) {
      CHECK(error.line() > 0);
    }
  }
  CHECK(grammars > 100);
}

}  // namespace tunesmith::grammar::from_memory_test
