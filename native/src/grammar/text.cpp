#include "tunesmith/grammar/text.h"

#include <algorithm>
#include <limits>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/corpus/moses_fields.h"

namespace tunesmith::grammar {

namespace {

// Placeholders of the sentence markers until they are removed from the sides.
constexpr Symbol kBegin = std::numeric_limits<Symbol>::max();
constexpr Symbol kEnd = kBegin - 1;

bool is_mark(Symbol symbol) { return symbol >= kEnd; }

/// Numbers the tokens of a side: sentence markers by their placeholders, others by `word`.
template <class Word>
auto with_marks(Word word) {
  return [word](std::string_view token) -> Symbol {
    if (token == "<s>") return kBegin;
    if (token == "</s>") return kEnd;
    return word(token);
  };
}

std::string_view without_brackets(std::string_view token) {
  if (!in_brackets(token) || token.size() == 2 || token.find("][") != std::string_view::npos)
    throw InputError("found " + quoted(token) +
                     "; expected the category that a rule produces, such as '[X]'");
  return token.substr(1, token.size() - 2);
}

/// `[X] </s>` on both sides.
bool is_end(const RuleSide& side) {
  return side.symbols.size() == 2 && is_gap(side.symbols[0]) && side.symbols[1] == kEnd;
}

bool is_begin(const RuleSide& side) { return side.symbols.size() == 1 && side.symbols[0] == kBegin; }

}  // namespace

void GrammarParser::parse_line(std::string_view line) {
  if (line.find_first_not_of(' ') == std::string_view::npos) return;
  corpus::split_fields(line, fields_);
  values_.clear();
  source_labels_.clear();
  target_labels_.clear();
  is_cdec_line(fields_[0]) ? parse_cdec() : parse_moses();
  fill_gaps();
  const Border border = take_marks();
  builder_.add({category_, source_.symbols, target_.symbols, links_, values_, border});
}

void GrammarParser::parse_cdec() {
  if (fields_.size() < 3 || fields_.size() > 5)
    throw InputError(
        "found " + std::to_string(fields_.size()) +
        " fields; expected [X] ||| source ||| target [||| features [||| links]], as in cdec's grammars");
  category_ = builder_.category(without_brackets(fields_[0]));
  read_cdec_side(fields_[1], with_marks([&](std::string_view word) { return source_word(word); }), source_);
  read_cdec_side(fields_[2], with_marks([&](std::string_view word) { return target_word(word); }), target_);
  for (const std::string_view token : source_.gaps) {
    source_labels_.push_back(parse_numbered_gap(token).label);
    if (source_labels_.back().empty())
      throw InputError("found " + quoted(token) +
                       " on the source side; expected a gap with its category, such as '[X,1]'");
  }
  for (const std::string_view token : target_.gaps) target_labels_.push_back(parse_numbered_gap(token).label);
  pair_numbered_gaps(source_, target_);
  if (fields_.size() > 3)
    for_each_cdec_feature(fields_[3], [&](std::string_view name, double value) { add_feature(name, value); });
  parse_rule_links(fields_.size() > 4 ? fields_[4] : std::string_view(), links_);
  drop_gap_links(source_, links_);
}

void GrammarParser::parse_moses() {
  if (fields_.size() < 4)
    throw InputError("found " + std::to_string(fields_.size()) +
                     " fields; expected source ||| target ||| scores ||| links, as in Moses' rule tables, or "
                     "[X] ||| source ||| target, as in cdec's grammars");
  read_moses_side(fields_[0], with_marks([&](std::string_view word) { return source_word(word); }), source_);
  read_moses_side(fields_[1], with_marks([&](std::string_view word) { return target_word(word); }), target_);
  without_brackets(source_.label);  // must be present; the target side's label is the category
  category_ = builder_.category(without_brackets(target_.label));
  for (const std::string_view token : source_.gaps) source_labels_.push_back(moses_gap_label(token));
  for (const std::string_view token : target_.gaps) target_labels_.push_back(moses_gap_label(token));
  parse_moses_scores(fields_[2], moses_names_.size(), logs_);
  for (size_t i = 0; i < logs_.size(); ++i) add_feature(moses_names_[i], logs_[i]);
  parse_rule_links(fields_[3], links_);
  refuse_sparse_scores(fields_);
  pair_linked_gaps(source_, target_, links_);
}

void GrammarParser::fill_gaps() {
  size_t written = 0;
  for (const Symbol symbol : target_.symbols) {
    if (!is_gap(symbol)) continue;
    const std::string_view label = target_labels_[written], expected = source_labels_[gap_index(symbol)];
    if (!label.empty() && label != expected)
      throw InputError("the target side has " + quoted(target_.gaps[written]) + " for " +
                       quoted(source_.gaps[gap_index(symbol)]) +
                       " of the source side; expected the same category");
    ++written;
  }
  for (Symbol& symbol : source_.symbols)
    if (is_gap(symbol)) symbol = gap_symbol(builder_.category(source_labels_[gap_index(symbol)]));
}

Border GrammarParser::take_marks() {
  if (std::ranges::none_of(source_.symbols, is_mark) && std::ranges::none_of(target_.symbols, is_mark))
    return Border::kNone;
  const bool begins = is_begin(source_) && is_begin(target_);
  if (!begins && !(is_end(source_) && is_end(target_)))
    throw InputError(
        "<s> and </s> are sentence markers; expected them only in rules from '<s>' to '<s>' or from "
        "'[X] </s>' to '[X] </s>'");
  source_.symbols.back() = builder_.source_word(begins ? kBeginMark : kEndMark);
  target_.symbols.pop_back();
  links_.clear();  // no words are left
  return begins ? Border::kBegin : Border::kEnd;
}

Symbol GrammarParser::source_word(std::string_view token) {
  return unescape_ ? builder_.source_word(unescaped_rule_word(token)) : builder_.source_word(token);
}

Symbol GrammarParser::target_word(std::string_view token) {
  return unescape_ ? builder_.target_word(unescaped_rule_word(token)) : builder_.target_word(token);
}

void GrammarParser::add_feature(std::string_view name, double value) {
  values_.push_back({builder_.feature(name), static_cast<float>(value)});
}

std::shared_ptr<MemoryGrammar> parse_grammar(std::string_view text, std::vector<std::string> moses_names) {
  GrammarParser parser(std::move(moses_names));
  parser.feed(text);
  parser.finish();
  return parser.take();
}

}  // namespace tunesmith::grammar
