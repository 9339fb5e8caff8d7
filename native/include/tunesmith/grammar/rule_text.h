// Parsing of the fields of rules in the text formats of Moses and cdec.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/corpus/sentences.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::grammar {

/// Stands for the natural log of 0.
inline constexpr double kLeastRuleLog = -100;
/// Largest absolute value of a feature: scores stay finite under any weights that decoders accept.
inline constexpr double kLargestRuleValue = 1e9;

/// One side of a rule. Its gaps are numbered from left to right until they are paired.
struct RuleSide {
  std::vector<Symbol> symbols;
  std::vector<std::string_view> gaps;  // tokens as written
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

/// A gap in cdec's format: `[X,1]`, or `[1]` on target sides.
struct NumberedGap {
  std::string_view label;  // X, or empty
  int32_t number;          // from 1
};

/// Escapes the words of a vocabulary for rule tables: `|` becomes `&#124;`, and a word in square brackets,
/// which would be read as a gap, gets `&#91;` and `&#93;`.
std::vector<std::string> rule_words(const Texts& words);
/// Inverse of `rule_words`. Ambiguous for words that looked escaped in the text: they were not escaped again.
std::string unescaped_rule_word(std::string_view word);

bool in_brackets(std::string_view token);
/// Whether a line is in cdec's format, `[X] ||| ...`, by its first field.
bool is_cdec_line(std::string_view first_field);
/// Parses a token in brackets; throws InputError if it is not a gap.
NumberedGap parse_numbered_gap(std::string_view token);
/// The target side's label in a Moses gap, S in `[X][S]`; throws InputError if the token is not a Moses gap.
std::string_view moses_gap_label(std::string_view token);

/// Parses a side of a cdec rule; `word(token)` returns the number of a word.
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

/// Parses a side of a Moses rule, which ends with a label.
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

/// Renumbers the gaps of the target side to those of the source side, paired by the numbers written in them.
/// Throws InputError if a gap has no counterpart or several.
void pair_numbered_gaps(const RuleSide& source, RuleSide& target);
/// As above, paired by alignment links; removes the links of gaps from `links`.
void pair_linked_gaps(const RuleSide& source, RuleSide& target, std::vector<corpus::Link>& links);

/// Parses `0-0 1-2`; the links are returned sorted, without duplicates.
void parse_rule_links(std::string_view field, std::vector<corpus::Link>& links);
/// Drops links of gaps, which some tools write into cdec's grammars.
void drop_gap_links(const RuleSide& source, std::vector<corpus::Link>& links);

/// Parses a number x, |x| <= kLargestRuleValue; otherwise throws InputError that `what` was expected.
double parse_finite(std::string_view token, std::string_view what);

/// Calls take(name, value) for each feature of `name=0.5 ...`; bare values are named PhraseModel_0,
/// PhraseModel_1, ...
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

/// Parses `expected` probabilities and returns their natural logs, at least kLeastRuleLog.
void parse_moses_scores(std::string_view field, size_t expected, std::vector<float>& logs);
/// Throws InputError if a line of Moses has sparse scores, its sixth field: rules have none here.
void refuse_sparse_scores(std::span<const std::string_view> fields);

}  // namespace tunesmith::grammar
