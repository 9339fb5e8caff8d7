// Tokenization of raw text by the rules of Moses, in the order in which sacremoses applies them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "tunesmith/base/name_table.h"

namespace tunesmith::corpus {

/// Which sets a character is in; the sets come from outside, a byte of these bits a code point.
enum CharacterClass : uint8_t {
  kPadded = 1,  // stands alone as a token, wherever it occurs
  kAlnum = 2,
  kAlpha = 4,
  kNumber = 8,
  kLower = 16,
};

/// What happens at an apostrophe between letters: `it 's`, `l' eau`, or `a ' b`.
enum class Apostrophes { kSplitBefore, kSplitAfter, kAlone };

struct TokenizerRules {
  std::vector<uint8_t> classes;              // a byte of CharacterClass bits for each of 0x110000 code points
  std::vector<std::string> prefixes;         // words after which a period does not end a sentence
  std::vector<std::string> number_prefixes;  // the same, but only before a number
  Apostrophes apostrophes = Apostrophes::kAlone;
  bool split_dashes = false;  // `a-b` becomes `a @-@ b`
  bool escape = false;        // characters that are special to Moses become entities
};

class Tokenizer {
 public:
  /// Throws InputError unless there is a class for each code point.
  explicit Tokenizer(TokenizerRules rules);

  /// The tokens of every line, a space between them. O(characters). Lines that are not UTF-8 are an
  /// InputError with their number.
  TextColumn tokenize(const Texts& lines, int threads) const;

 private:
  struct Line;  // a line under work
  bool ends_sentence(std::u32string_view token, std::u32string_view next) const;
  bool is(char32_t character, uint8_t bits) const { return (rules_.classes[character] & bits) != 0; }

  void space(Line& line) const;
  void pad(Line& line) const;
  void split_dashes(Line& line) const;
  void hide_dots(Line& line) const;
  void split_commas(Line& line) const;
  void split_apostrophes(Line& line) const;
  void split_periods(Line& line) const;
  void finish(const Line& line, std::string& out) const;

  TokenizerRules rules_;
  std::unordered_set<std::u32string> prefixes_, number_prefixes_;
};

}  // namespace tunesmith::corpus
