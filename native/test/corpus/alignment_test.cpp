#include "tunesmith/corpus/alignment.h"

#include "check.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::corpus::alignment_test {

std::vector<Link> parsed(std::string_view line) {
  AlignmentParser parser;
  parser.feed(line);
  parser.feed("\n");
  parser.finish();
  return parser.take_links();
}

const std::vector<int32_t> kWords{0, 0, 0};
const std::vector<int64_t> kSource{0, 2, 3}, kTarget{0, 1, 3};

void check(const std::vector<Link>& links, const std::vector<int64_t>& offsets) {
  check_alignments({links, offsets}, {kWords, kSource}, {kWords, kTarget});
}

TEST(links_are_sorted_and_repeats_dropped) {
  CHECK(parsed("1-0 0-2  0-1 1-0 ") == (std::vector<Link>{{0, 1}, {0, 2}, {1, 0}}));
  CHECK(parsed("").empty());
  CHECK(parsed("2147483647-0") == (std::vector<Link>{{2147483647, 0}}));
}

TEST(text_that_is_not_a_link_is_refused) {
  for (std::string_view line :
       {"0", "-", "0-", "-0", "0-1-", "0--1", "a-0", "0-b", "2147483648-0", "0-1x", "0 -1"})
    CHECK_THROWS(parsed(line), InputError);
}

TEST(links_are_written_as_they_are_read) {
  const std::vector<Link> links{{0, 1}, {10, 2}};
  std::string text;
  append_links(links, text);
  CHECK(text == "0-1 10-2");
  CHECK(parsed(text) == links);
}

TEST(links_must_be_sorted_and_within_their_pair) {
  check({{0, 0}, {1, 0}, {0, 1}}, {0, 2, 3});
  check({}, {0, 0, 0});
  CHECK_THROWS(check({{1, 0}, {0, 0}}, {0, 2, 2}), InputError);
  CHECK_THROWS(check({{0, 0}, {0, 0}}, {0, 2, 2}), InputError);
  CHECK_THROWS(check({{2, 0}}, {0, 1, 1}), InputError);
  CHECK_THROWS(check({{0, 1}}, {0, 1, 1}), InputError);
  CHECK_THROWS(check({{-1, 0}}, {0, 1, 1}), InputError);
  CHECK_THROWS(check({{0, 0}}, {0, 1}), InputError);
  CHECK_THROWS(check({{0, 0}}, {0, 2, 1}), InputError);
  try {
    check({{0, 2}}, {0, 0, 1});
    CHECK(false);
  } catch (const InputError& error) {
    CHECK(error.line() == 2);
  }
}

}  // namespace tunesmith::corpus::alignment_test
