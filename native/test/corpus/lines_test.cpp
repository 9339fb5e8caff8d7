#include "tunesmith/corpus/lines.h"

#include "check.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::corpus::lines_test {

TextColumn column(std::initializer_list<std::string_view> lines) {
  TextColumn result;
  for (std::string_view line : lines) result.add(line);
  return result;
}

TEST(lines_are_taken_in_order_as_many_as_asked_for) {
  LineCollector collector;
  collector.feed("a\nbb\n\nc");
  CHECK(collector.size() == 3);
  const TextColumn first = collector.take(2);
  CHECK(first.size() == 2 && first[1] == "bb" && first.blob.size() == 3);
  collector.feed("d\n");
  collector.finish();
  const TextColumn rest = collector.take(10);
  CHECK(rest.size() == 2 && rest[0].empty() && rest[1] == "cd");
  CHECK(collector.take(1).empty());
}

TEST(many_small_takes_give_all_lines) {
  LineCollector collector;
  std::string data;
  for (int i = 0; i < 1000; ++i) data += std::to_string(i) + "\n";
  collector.feed(data);
  int next = 0;
  for (size_t most = 1; collector.size() > 0; most = most % 7 + 1) {
    const TextColumn taken = collector.take(most);
    for (size_t i = 0; i < taken.size(); ++i) CHECK(taken[i] == std::to_string(next++));
  }
  CHECK(next == 1000);
}

TEST(white_space_is_one_space_and_controls_are_noted) {
  const TextColumn lines = column({" a\t\u2028 b ", "a\x01\u0085\u009fz", "", "\u3000", "\U0001f600\u00a0x"});
  const SpacedLines spaced = space_lines(lines.view());
  CHECK(spaced.lines[0] == "a b");
  CHECK(spaced.lines[1] == "a z");
  CHECK(spaced.lines[2].empty() && spaced.lines[3].empty());
  CHECK(spaced.lines[4] == "\U0001f600 x");
  CHECK(spaced.controls == (std::vector<uint8_t>{0, 1, 0, 0, 0}));
}

TEST(bytes_that_are_not_utf8_are_never_read_beyond_their_line) {
  const TextColumn lines = column({"a\xe4", "b\xe2\x80", "c\xf0\x9f"});
  CHECK(space_lines(lines.view()).lines.size() == 3);
}

TEST(tokens_are_counted_and_lines_joined) {
  const TextColumn lines = column({"a  b ", "", "c"});
  CHECK(count_tokens(lines.view()) == (std::vector<int64_t>{2, 0, 1}));
  CHECK(join_lines(lines.view()) == "a  b \n\nc\n");
}

}  // namespace tunesmith::corpus::lines_test
