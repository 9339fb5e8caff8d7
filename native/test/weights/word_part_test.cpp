#include "tunesmith/weights/word_part.h"

#include "check.h"
#include "tunesmith/weights/feature_name.h"

namespace tunesmith::weights::word_part_test {

namespace {

std::string part(std::string_view word) {
  std::string name;
  append_word_part(word, name);
  return name;
}

}  // namespace

TEST(usual_words_stand_in_names_as_they_are) {
  for (const char* word : {"haus", "50%", "%", "100%-ig", "x1", "X", "X1a", "Other", "<unk>", "a:b"}) {
    CHECK(is_plain_word(word));
    CHECK(part(word) == word);
  }
}

TEST(underscores_and_words_that_read_otherwise_are_written_by_their_bytes) {
  CHECK(part("a_b") == "a%5Fb");
  CHECK(part("%5F") == "%255F");
  CHECK(part("~") == "%7E");
  CHECK(part("~~") == "~~");
  CHECK(part("X1") == "%581");
  CHECK(part("OTHER") == "%4FTHER");
  CHECK(part("</s>") == "%3C/s>");
}

TEST(a_name_of_parts_has_coded_words_in_its_text) {
  const std::string_view parts[] = {"T_", "a_b", "_", "c"};
  const FeatureName name{parts, key_of("T_a%5Fb_c"), 0b10};
  CHECK(name.text() == "T_a%5Fb_c");
  CHECK(name.is("T_a%5Fb_c"));
  CHECK(!name.is("T_a_b_c"));
  TextColumn names;
  name.append_to(names);
  CHECK(names[0] == name.text());
}

}  // namespace tunesmith::weights::word_part_test
