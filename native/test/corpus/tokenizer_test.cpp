#include "tunesmith/corpus/tokenizer.h"

#include "check.h"
#include "tunesmith/base/errors.h"

namespace tunesmith::corpus::tokenizer_test {

/// Rules with the classes of ASCII characters, which is enough to exercise each rule.
TokenizerRules ascii_rules() {
  TokenizerRules rules;
  rules.classes.assign(0x110000, kPadded);
  for (char32_t c = 0; c < 0x80; ++c) {
    const bool digit = c >= '0' && c <= '9', lower = c >= 'a' && c <= 'z', upper = c >= 'A' && c <= 'Z';
    uint8_t bits = 0;
    if (digit) bits |= kNumber | kAlnum;
    if (lower || upper) bits |= kAlpha | kAlnum;
    if (lower) bits |= kLower;
    const bool unpadded = bits != 0 || c <= ' ' ||
                          std::string_view(".'`,-").find(static_cast<char>(c)) != std::string_view::npos;
    rules.classes[c] = unpadded ? bits : uint8_t{kPadded};
  }
  rules.prefixes = {"Dr"};
  rules.number_prefixes = {"No"};
  return rules;
}

std::string tokenized(const TokenizerRules& rules, std::string_view line) {
  TextColumn lines;
  lines.add(line);
  return std::string(Tokenizer(rules).tokenize(lines.view(), 1)[0]);
}

std::string tokenized(std::string_view line) { return tokenized(ascii_rules(), line); }

TEST(punctuation_is_split_off) {
  CHECK(tokenized("Hello (world)!") == "Hello ( world ) !");
  CHECK(tokenized("  a \t b\x01  ") == "a b");
  CHECK(tokenized("") == "");
  CHECK(tokenized("\x01") == "");
}

TEST(numbers_keep_their_commas_and_dots) {
  CHECK(tokenized("1,000.5, a,b,c,,") == "1,000.5 , a , b , c , ,");
  CHECK(tokenized("5,") == "5 ,");
}

TEST(periods_stay_at_abbreviations) {
  CHECK(tokenized("Dr. No. 5 No. Way e.g. this. The end.") == "Dr. No. 5 No . Way e.g. this . The end .");
  CHECK(tokenized("wait... what") == "wait ... what");
  CHECK(tokenized(".... a") == ".... a");
}

TEST(apostrophes_follow_the_language) {
  TokenizerRules rules = ascii_rules();
  CHECK(tokenized(rules, "it's") == "it ' s");
  rules.apostrophes = Apostrophes::kSplitBefore;
  CHECK(tokenized(rules, "it's the 90's") == "it 's the 90 's");
  rules.apostrophes = Apostrophes::kSplitAfter;
  CHECK(tokenized(rules, "l'eau") == "l' eau");
}

TEST(dashes_and_entities_are_options) {
  TokenizerRules rules = ascii_rules();
  rules.split_dashes = rules.escape = true;
  CHECK(tokenized(rules, "a-b-c & [x]|") == "a @-@ b @-@ c &amp; &#91; x &#93; &#124;");
}

TEST(threads_do_not_change_the_result) {
  TextColumn lines;
  for (int i = 0; i < 5000; ++i) lines.add("Line " + std::to_string(i) + ", ok.");
  const Tokenizer tokenizer(ascii_rules());
  const TextColumn one = tokenizer.tokenize(lines.view(), 1), four = tokenizer.tokenize(lines.view(), 4);
  CHECK(one.blob == four.blob);
  CHECK(one.offsets == four.offsets);
  CHECK(one[4999] == "Line 4999 , ok .");
}

TEST(bad_utf8_and_missing_classes_are_refused) {
  CHECK_THROWS(tokenized("a\xff"), InputError);
  CHECK_THROWS(tokenized("a\xc3"), InputError);
  CHECK_THROWS(Tokenizer{TokenizerRules{}}, InputError);
}

}  // namespace tunesmith::corpus::tokenizer_test
