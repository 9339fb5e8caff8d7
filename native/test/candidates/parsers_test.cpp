#include <string>

#include "check.h"
#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/candidates/column_parser.h"
#include "tunesmith/candidates/jsonl_parser.h"
#include "tunesmith/candidates/nbest_parser.h"

namespace tunesmith::candidates::parsers_test {

/// The line that an error reports, 0 if none.
template <class Parser>
int64_t failing_line(Parser&& parser, std::string_view text) {
  try {
    parser.feed(text);
    parser.finish();
  } catch (const InputError& error) {
    return error.line();
  }
  return 0;
}

TEST(lines_are_complete_wherever_chunks_are_split) {
  const std::string text = "0 ||| a b ||| L= 1 2 ||| 3\n0 ||| c ||| L= 4 5 ||| 6\r\n1 ||| d ||| L= 7 8 ||| 9";
  for (size_t cut = 0; cut <= text.size(); ++cut) {
    NbestParser parser(NbestStyle::moses);
    parser.feed(std::string_view(text).substr(0, cut));
    parser.feed("");
    parser.feed(std::string_view(text).substr(cut));
    parser.finish();
    const PoolArrays pool = parser.take();
    CHECK((pool.lists == std::vector<int64_t>{0, 2, 3}));
    CHECK((pool.values == std::vector<double>{1, 2, 4, 5, 7, 8}));
    CHECK((pool.columns == std::vector<int32_t>{0, 1, 0, 1, 0, 1}));
    CHECK((pool.totals == std::vector<double>{3, 6, 9}));
    CHECK(pool.texts[0] == "a b" && pool.texts[2] == "d");
    CHECK(pool.names[1] == "L_1");
    CHECK(pool.ids[1] == "1");
  }
}

TEST(errors_name_the_line) {
  CHECK(failing_line(NbestParser(NbestStyle::cdec), "0 ||| a ||| f=1\n0 ||| b ||| f\n") == 2);
  CHECK(failing_line(NbestParser(NbestStyle::cdec), "0 ||| a ||| f=1\n\xff\n") == 2);
  CHECK(failing_line(JsonlParser(), "\n\n{") == 3);
  CHECK(failing_line(NumberParser(), "1 2\n3\n") == 2);
}

TEST(null_is_a_missing_value_where_it_is_allowed) {
  const std::string_view line = "{\"id\": 0, \"hypotheses\": [{\"features\": {\"a\": 1, \"b\": null}}]}";
  JsonlParser parser(true);
  parser.feed(line);
  parser.finish();
  const PoolArrays pool = parser.take();
  CHECK(pool.values.size() == 2 && pool.values[0] == 1 && pool.values[1] != pool.values[1]);
  CHECK(failing_line(JsonlParser(), line) == 1);
}

TEST(a_parser_that_failed_refuses_to_go_on) {
  NbestParser parser(NbestStyle::moses);
  CHECK_THROWS(parser.feed("x\n"), InputError);
  CHECK_THROWS(parser.feed("0 ||| a ||| f= 1\n"), InputError);
  CHECK_THROWS(parser.finish(), InputError);
}

TEST(names_are_numbered_in_order_of_first_occurrence) {
  NameTable table;
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 10000; ++i) CHECK(table.intern("name" + std::to_string(i)) == i);
  CHECK(table.size() == 10000);
  CHECK(table[4711] == "name4711");
  CHECK(table.find("other") == NameTable::kUnknown);
  CHECK(NameTable().find("other") == NameTable::kUnknown);
}

TEST(quoted_text_is_short_and_valid) {
  CHECK(quoted("a\tb") == "'a\\x09b'");
  CHECK(quoted("\xff") == "'\\xff'");
  CHECK(quoted("\u00fc") == "'\u00fc'");
  std::string many;
  for (int i = 0; i < 100; ++i) many += "\u4e2d";
  CHECK(quoted(many).size() == 1 + 60 + 4);
  CHECK(quoted("a" + many).size() == 1 + 58 + 4);
  CHECK(quoted("\x80\x80" + std::string(100, '\x80')).size() < 500);
}

}  // namespace tunesmith::candidates::parsers_test
