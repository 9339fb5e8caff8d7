// Reads text grammars of any categories: Moses' and cdec's lines, each told by its first field.
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
/// `a [X][S] [X] ||| b [X][S] [S] ||| scores ||| links ...`, where labels of the target side are the
/// categories. Scores of Moses become natural logs, not less than -100, under the names given; features of
/// cdec are taken as they are. The tokens `<s>` and `</s>` are no words but the borders of the sentence:
/// rules of `<s>` begin translations, rules of a gap and `</s>` end them. Blank lines are skipped, and a file
/// without lines is a grammar without rules. With `unescape`, words are those that `rule_words` wrote.
class GrammarParser : public LineParser {
 public:
  explicit GrammarParser(std::vector<std::string> moses_names, bool unescape = false)
      : moses_names_(std::move(moses_names)), unescape_(unescape) {}

  /// The grammar; the parser is of no use after that.
  std::shared_ptr<MemoryGrammar> take() { return builder_.build(); }

 protected:
  void parse_line(std::string_view line) override;
  bool may_be_empty() const override { return true; }

 private:
  void parse_cdec();
  void parse_moses();
  /// Checks that paired gaps have the same category, and writes the source side by categories.
  void fill_gaps();
  /// Takes the marks of the sentence out of the sides.
  Border take_marks();
  void add_feature(std::string_view name, double value);
  Symbol source_word(std::string_view token);
  Symbol target_word(std::string_view token);

  std::vector<std::string> moses_names_;
  bool unescape_;
  MemoryGrammarBuilder builder_;
  std::vector<std::string_view> fields_;
  RuleSide source_, target_;
  std::vector<std::string_view> source_labels_, target_labels_;  // of the gaps; nothing fits everything
  uint32_t category_ = 0;
  std::vector<corpus::Link> links_;
  std::vector<float> logs_;
  std::vector<FeatureValue> values_;
};

/// The grammar of a text. Errors have the number of the line.
std::shared_ptr<MemoryGrammar> parse_grammar(std::string_view text, std::vector<std::string> moses_names);

}  // namespace tunesmith::grammar
