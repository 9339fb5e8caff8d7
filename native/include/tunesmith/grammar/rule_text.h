// What lines of Moses' rule tables and of cdec's grammars are made of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/corpus/sentences.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::grammar {

/// What stands for the natural log of 0.
inline constexpr double kLeastRuleLog = -100;
/// The largest value of a feature: with any weight that decoders take, scores stay finite.
inline constexpr double kLargestRuleValue = 1e9;

/// A side of a rule. Its gaps are numbered in the order in which they stand, until they are paired.
struct RuleSide {
  std::vector<Symbol> symbols;
  std::vector<std::string_view> gaps;  // as they are written
  std::string_view label;              // `[X]` at the end of a side, in Moses' tables

  void clear() {
    symbols.clear();
    gaps.clear();
    label = {};
  }
  void add_gap(std::string_view token) {
    symbols.push_back(gap_symbol(gaps.size()));
    gaps.push_back(token);
  }
};

/// A gap of cdec's grammars: `[X,1]`, or `[1]` on target sides.
struct NumberedGap {
  std::string_view label;  // X, or nothing
  int32_t number;          // from 1
};

/// The words of a vocabulary as rule tables can hold them: `|` becomes `&#124;`, and a word in square
/// brackets, which would read as a gap, gets `&#91;` and `&#93;`.
std::vector<std::string> rule_words(const Texts& words);
/// The word that `rule_words` writes so. A word of a text that looks escaped already was not escaped again,
/// and is not told from others.
std::string unescaped_rule_word(std::string_view word);

bool in_brackets(std::string_view token);
/// Whether a line, by its first field, is one of cdec's: `[X] ||| ...`.
bool is_cdec_line(std::string_view first_field);
/// Throws InputError where a token in brackets is not a gap.
NumberedGap parse_numbered_gap(std::string_view token);
/// The label of the target side, S in `[X][S]`; throws InputError where the token is not a gap of Moses'.
std::string_view moses_gap_label(std::string_view token);

/// Reads a side of a cdec rule; `word` numbers words.
template <class Word>
void read_cdec_side(std::string_view field, Word word, RuleSide& side) {
  side.clear();
  corpus::for_each_token(field, [&](std::string_view token) {
    if (in_brackets(token))
      side.add_gap(token);
    else
      side.symbols.push_back(word(token));
  });
}

/// Reads a side of a Moses rule, which ends with a label.
template <class Word>
void read_moses_side(std::string_view field, Word word, RuleSide& side) {
  side.clear();
  corpus::for_each_token(field, [&](std::string_view token) {
    if (!side.label.empty()) {
      if (in_brackets(side.label))
        side.add_gap(side.label);
      else
        side.symbols.push_back(word(side.label));
    }
    side.label = token;
  });
}

/// Gives the gaps of the target side the numbers of those of the source side that are written with the same
/// number. Throws InputError where there is none, or more than one.
void pair_numbered_gaps(const RuleSide& source, RuleSide& target);
/// The same by links, which are left with those of words.
void pair_linked_gaps(const RuleSide& source, RuleSide& target, std::vector<corpus::Link>& links);

/// Reads `0-0 1-2`: sorted, none twice.
void parse_rule_links(std::string_view field, std::vector<corpus::Link>& links);
/// Drops links of gaps, which some writers of cdec's grammars have.
void drop_gap_links(const RuleSide& source, std::vector<corpus::Link>& links);

/// Reads a number that is finite as a float too; anything else is an InputError that says what was expected.
double parse_finite(std::string_view token, std::string_view what);

/// Calls take(name, value) for each of `name=0.5 ...`; bare values are named PhraseModel_0 and so on.
template <class Take>
void for_each_cdec_feature(std::string_view field, Take take) {
  size_t bare = 0;
  corpus::for_each_token(field, [&](std::string_view token) {
    const size_t equals = token.rfind('=');
    const bool named = equals != std::string_view::npos && equals > 0;
    const double value =
        parse_finite(named ? token.substr(equals + 1) : token, "a feature such as 'name=0.5'");
    if (named)
      take(token.substr(0, equals), value);
    else
      take("PhraseModel_" + std::to_string(bare++), value);
  });
}

/// Reads probabilities, `expected` of them, as natural logs, not less than kLeastRuleLog.
void parse_moses_scores(std::string_view field, size_t expected, std::vector<float>& logs);

}  // namespace tunesmith::grammar
