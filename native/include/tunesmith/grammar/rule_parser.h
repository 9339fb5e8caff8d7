// Reads rule tables: Moses' and cdec's text forms, told by their first line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/line_parser.h"
#include "tunesmith/grammar/rule_table_builder.h"
#include "tunesmith/grammar/rule_text.h"

namespace tunesmith::grammar {

/// `a [X][X] [X] ||| b [X][X] [X] ||| scores ||| links ||| counts`, or
/// `[X] ||| a [X,1] ||| b [1] ||| name=value ... ||| links`. The only label is X: glue rules belong to
/// decoders. Scores of Moses are stored as natural logs, not less than -100, under the names given; features
/// of cdec as they are, under their own names (`PhraseModel_i` for bare values). No rule may come twice.
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
  /// Throws InputError where the sides of the builder's last rule are those of one before.
  void refuse_twin();
  uint64_t hash_of(uint32_t rule) const;

  std::vector<std::string> moses_names_;
  RuleTableBuilder builder_;
  Form form_ = Form::kUnknown;
  std::vector<std::string_view> fields_;
  RuleSide source_, target_;
  std::vector<corpus::Link> links_;
  std::vector<int32_t> columns_;
  std::vector<float> logs_, values_, counts_;
  std::vector<uint32_t> known_;  // a hash table of rules by their sides: numbers from 1, 0 is free
};

}  // namespace tunesmith::grammar
