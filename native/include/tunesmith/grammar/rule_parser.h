// Parser of text rule tables in the format of Moses or cdec, detected by the first line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/line_parser.h"
#include "tunesmith/grammar/rule_table_builder.h"
#include "tunesmith/grammar/rule_text.h"

namespace tunesmith::grammar {

/// `a [X][X] [X] ||| b [X][X] [X] ||| scores ||| links ||| counts`, or
/// `[X] ||| a [X,1] ||| b [1] ||| name=value ... ||| links`. The only label is X: glue rules belong to the
/// decoder. Moses scores are stored as natural logs, at least -100, under the given names; cdec features
/// unchanged, under their own names (`PhraseModel_i` for bare values). Duplicate rules are errors.
class RuleParser : public LineParser {
 public:
  explicit RuleParser(std::vector<std::string> moses_names) : moses_names_(std::move(moses_names)) {}

  RuleTableBuilder& builder() { return builder_; }

 protected:
  void parse_line(std::string_view line) override;

 private:
  enum class Form { kUnknown, kMoses, kCdec };

  void parse_moses();
  void parse_cdec();
  void add_feature(std::string_view name, double value);
  /// Throws InputError if the rule added last has the same two sides as an earlier one.
  void check_unique();
  uint64_t hash_of(uint32_t rule) const;

  std::vector<std::string> moses_names_;
  RuleTableBuilder builder_;
  Form form_ = Form::kUnknown;
  std::vector<std::string_view> fields_;
  RuleSide source_, target_;
  std::vector<corpus::Link> links_;
  std::vector<int32_t> columns_;
  std::vector<float> logs_, values_, counts_;
  std::vector<uint32_t> known_;  // hash table of rules by their sides: 1 + rule number, 0 if free
};

}  // namespace tunesmith::grammar
