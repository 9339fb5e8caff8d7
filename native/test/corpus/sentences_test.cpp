#include "tunesmith/corpus/sentences.h"

#include "check.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::corpus::sentences_test {

TEST(lines_become_sentences_wherever_chunks_are_cut) {
  const std::string data =
      "\xef\xbb\xbf"
      "a b\r\n\n  b \xc3\xa9  a\nc";
  for (size_t cut = 0; cut <= data.size(); ++cut) {
    Vocabulary vocabulary;
    SentenceParser parser(vocabulary, true);
    parser.feed(std::string_view(data).substr(0, cut));
    parser.feed(std::string_view(data).substr(cut));
    parser.finish();
    CHECK(parser.take_words() == (std::vector<int32_t>{0, 1, 1, 2, 0, 3}));
    CHECK(parser.take_offsets() == (std::vector<int64_t>{0, 2, 2, 5, 6}));
    CHECK(vocabulary[2] == "\xc3\xa9");
  }
}

TEST(unknown_words_are_minus_one_where_the_vocabulary_is_fixed) {
  Vocabulary vocabulary;
  vocabulary.intern("a");
  SentenceParser parser(vocabulary, false);
  parser.feed("b a\n");
  parser.finish();
  CHECK(parser.take_words() == (std::vector<int32_t>{-1, 0}));
  CHECK(vocabulary.size() == 1);
}

TEST(bad_utf8_names_its_line_and_closes_the_parser) {
  Vocabulary vocabulary;
  SentenceParser parser(vocabulary, true);
  try {
    parser.feed("a\nb\n\xff\n");
    CHECK(false);
  } catch (const InputError& error) {
    CHECK(error.line() == 3);
  }
  CHECK_THROWS(parser.feed("c\n"), InputError);
  CHECK_THROWS(parser.finish(), InputError);
}

TEST(words_outside_of_the_vocabulary_are_refused) {
  const std::vector<int32_t> words{0, -1, 2};
  const std::vector<int64_t> offsets{0, 1, 3};
  check_sentences({words, offsets}, 3, -1);
  CHECK_THROWS(check_sentences({words, offsets}, 3), InputError);
  CHECK_THROWS(check_sentences({words, offsets}, 2, -1), InputError);
  const std::vector<int64_t> beyond{0, 1, 4};
  CHECK_THROWS(check_sentences({words, beyond}, 3, -1), InputError);
}

}  // namespace tunesmith::corpus::sentences_test
