#include "tunesmith/base/text.h"

#include <string>

#include "check.h"

namespace tunesmith::text_test {

TEST(words_are_split_at_any_unicode_space) {
  std::vector<std::string_view> words;
  split_words(" a\u00a0b\u3000\u2003c\td ", words);
  CHECK(words.size() == 4);
  CHECK(words[3] == "d");
  split_words("", words);
  CHECK(words.empty());
}

TEST(the_first_invalid_byte_is_found) {
  CHECK(find_invalid_utf8("plain ascii and \u00fcml\u00e4ut \U0001f600") == std::string_view::npos);
  CHECK(find_invalid_utf8("0123456789\xff") == 10);
  CHECK(find_invalid_utf8("\xc0\x80") == 0);            // overlong
  CHECK(find_invalid_utf8("ab\xed\xa0\x80") == 2);      // surrogate
  CHECK(find_invalid_utf8("ab\xf4\x90\x80\x80") == 2);  // above U+10FFFF
  CHECK(find_invalid_utf8("ab\xe4\xbd") == 2);          // cut short
}

TEST(characters_are_decoded) {
  std::vector<char32_t> characters;
  decode_utf8("a\u00fc\u4e2d\U0001f600", characters);
  CHECK(characters.size() == 4);
  CHECK(characters[1] == 0xfc);
  CHECK(characters[2] == 0x4e2d);
  CHECK(characters[3] == 0x1f600);
}

}  // namespace tunesmith::text_test
