// Parser of text grammars with any categories; the format (Moses or cdec) is detected line by line.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/line_parser.h"
#include "tunesmith/grammar/from_memory.h"
#include "tunesmith/grammar/rule_text.h"

namespace tunesmith::grammar {

/// `[S] ||| a [X,1] ||| b [1] [||| name=value ... [||| links]]`, or
/// `a [X][S] [X] ||| b [X][S] [S] ||| scores ||| links ...`, where the labels of the target side are the
/// categories. Moses scores become natural logs, at least -100, under the given names; cdec features are
/// unchanged. The tokens `<s>` and `</s>` are sentence markers: rules of `<s>` begin translations, rules of a
/// gap and `</s>` end them. Blank lines are skipped; an empty file is an empty grammar. With `unescape`,
/// words are unescaped by `unescaped_rule_word`.
class GrammarParser : public LineParser {
 public:
  explicit GrammarParser(std::vector<std::string> moses_names, bool unescape = false)
      : moses_names_(std::move(moses_names)), unescape_(unescape) {}

  /// Returns the grammar and consumes the parser.
  std::shared_ptr<MemoryGrammar> take() { return builder_.build(); }

 protected:
  void parse_line(std::string_view line) override;
  bool may_be_empty() const override { return true; }

 private:
  void parse_cdec();
  void parse_moses();
  /// Checks that paired gaps have the same category, and replaces the source side's gaps by their categories.
  void fill_gaps();
  /// Removes the sentence markers from both sides.
  Border take_marks();
  void add_feature(std::string_view name, double value);
  Symbol source_word(std::string_view token);
  Symbol target_word(std::string_view token);

  std::vector<std::string> moses_names_;
  bool unescape_;
  MemoryGrammarBuilder builder_;
  std::vector<std::string_view> fields_;
  RuleSide source_, target_;
  std::vector<std::string_view> source_labels_, target_labels_;  // of the gaps; an empty one matches any
  uint32_t category_ = 0;
  std::vector<corpus::Link> links_;
  std::vector<float> logs_;
  std::vector<FeatureValue> values_;
};

/// Parses a whole text. Errors carry the line number.
std::shared_ptr<MemoryGrammar> parse_grammar(std::string_view text, std::vector<std::string> moses_names);

}  // namespace tunesmith::grammar
