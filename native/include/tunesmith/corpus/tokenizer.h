// The Moses tokenizer, with its rules in the order of sacremoses.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "tunesmith/base/name_table.h"

namespace tunesmith::corpus {

/// Sets that a character may be in, as bits. The caller supplies one byte of them per code point.
enum CharacterClass : uint8_t {
  kPadded = 1,  // always a token of its own
  kAlnum = 2,
  kAlpha = 4,
  kNumber = 8,
  kLower = 16,
};

/// How an apostrophe between letters is split: `it 's`, `l' eau`, or `a ' b`.
enum class Apostrophes { kSplitBefore, kSplitAfter, kAlone };

struct TokenizerRules {
  std::vector<uint8_t> classes;              // CharacterClass bits of each of 0x110000 code points
  std::vector<std::string> prefixes;         // nonbreaking: a period after them does not end a sentence
  std::vector<std::string> number_prefixes;  // the same, but only before a number
  Apostrophes apostrophes = Apostrophes::kAlone;
  bool split_dashes = false;  // `a-b` becomes `a @-@ b`
  bool escape = false;        // characters with a special meaning in Moses become entities
};

class Tokenizer {
 public:
  /// Throws InputError unless `rules.classes` has one entry per code point.
  explicit Tokenizer(TokenizerRules rules);

  /// Each line's tokens, separated by spaces. O(characters). A line that is not UTF-8 is an InputError with
  /// its number.
  TextColumn tokenize(const Texts& lines, int threads) const;

 private:
  struct Line;  // the line being tokenized
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
