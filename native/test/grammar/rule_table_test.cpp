#include "tunesmith/grammar/rule_table.h"

#include <algorithm>
#include <cstdio>
#include <random>
#include <string>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/scratch.h"
#include "tunesmith/grammar/rule_parser.h"

namespace tunesmith::grammar::rule_table_test {

const std::vector<std::string> kNames{"a", "b", "c", "d"};
const std::string kMoses =
    "der [X][X] [X] ||| the [X][X] [X] ||| 0.5 0.25 1 0.125 ||| 0-0 1-1 ||| 4 2 2 ||| |||\n"
    "[X][X] von [X][X] [X] ||| [X][X] 's [X][X] [X] ||| 1 1 1 1 ||| 0-2 1-1 2-0 ||| 1 1 1 ||| |||\n"
    "der [X] ||| the [X] ||| 1 1 1 1 ||| 0-0 ||| 1 1 1 ||| |||\n"
    "der [X] ||| he [X] ||| 1 1 1 1 ||| 0-0 ||| 1 1 1 ||| |||\n";
const std::string kCdec =
    "[X] ||| der [X,1] ||| the [1] ||| f=0.25 g=1 ||| 0-0\n[X] ||| [X,1] von [X,2] ||| [2] 's [1] ||| f=1\n";

std::string temporary() { return "rule_table_test." + std::to_string(std::rand()) + ".tmp"; }

TEST(a_table_is_found_by_its_source_sides) {
  RuleParser parser(kNames);
  parser.feed(kMoses);
  parser.finish();
  const std::string path = temporary();
  parser.builder().write(path, "{}");
  {
    const RuleTable table(path);
    CHECK(table.rules() == 4);
    const int32_t der = table.source_words().find("der"), von = table.source_words().find("von");
    const std::vector<Symbol> word{der}, gap{der, -1}, two{-1, von, -2}, none{von};
    const auto [begin, end] = table.rules_of(table.find(word));
    CHECK(end - begin == 2);
    CHECK(table.target_words().word(table.target(begin)[0]) == "the");  // rules keep their order
    CHECK(table.target_words().word(table.target(begin + 1)[0]) == "he");
    const auto [swap, after] = table.rules_of(table.find(two));
    CHECK(after - swap == 1);
    CHECK((std::ranges::equal(table.target(swap),
                              std::vector<Symbol>{-2, table.target_words().find("'s"), -1})));
    CHECK(table.links(swap).size() == 1 && table.links(swap)[0].source == 1);
    const auto first = table.rules_of(table.find(gap)).first;
    CHECK_NEAR(table.features(first)[1], std::log(0.25f), 1e-6);
    CHECK(table.counts(first)[0] == 4);
    CHECK(table.find(none) == RuleTable::kNoNode);
  }
  std::remove(path.c_str());
}

TEST(mutated_text_is_an_error_or_a_table) {
  std::mt19937 random(1);
  const std::string_view pieces[] = {"|||", "[X]", "[X][X]", "[X,1]", "[2]", " ",
                                     "-",   "=",   "9",      "\n",    "nan", "e"};
  for (int round = 0; round < 3000; ++round) {
    std::string text = round % 2 == 0 ? kMoses : kCdec;
    for (size_t edits = random() % 4 + 1; edits > 0; --edits) {
      const size_t at = random() % text.size();
      if (random() % 2 == 0)
        text.erase(at, random() % 6);
      else
        text.insert(at, pieces[random() % std::size(pieces)]);
      if (text.empty()) text = "x";
    }
    RuleParser parser(kNames);
    try {
      parser.feed(text);
      parser.finish();
    } catch (const InputError& error) {
      CHECK(error.line() > 0 || std::string(error.what()).find("empty") != std::string::npos);
    }
  }
}

TEST(scratch_keeps_bytes_in_memory_and_on_disk) {
  for (const bool disk : {false, true}) {
    Scratch scratch;
    scratch.append("ab");
    if (disk) scratch.move_to_disk("/tmp");
    for (int i = 0; i < 100000; ++i) scratch.append("0123456789");
    CHECK(scratch.size() == 1000002 && scratch.view().size() == scratch.size());
    CHECK(scratch.view().substr(0, 4) == "ab01");
    CHECK(scratch.view().substr(scratch.size() - 3) == "789");
    Scratch moved = std::move(scratch);
    CHECK(moved.view().size() == 1000002);
    const std::span<char> zeros = moved.allocate(4096);
    CHECK(std::all_of(zeros.begin(), zeros.end(), [](char c) { return c == 0; }));
    zeros[4095] = 'x';
    CHECK(moved.view().back() == 'x');
    moved.clear();
    moved.append("new");
    CHECK(moved.view() == "new");
  }
  Scratch nowhere;
  CHECK_THROWS(nowhere.move_to_disk("/no/such/folder"), InputError);
}

}  // namespace tunesmith::grammar::rule_table_test
