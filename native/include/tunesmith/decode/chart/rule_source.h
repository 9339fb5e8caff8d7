// The interface of the parser to scored rules: tries of source sides of phrase tables and grammars.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "tunesmith/decode/chart/rule_chart.h"
#include "tunesmith/decode/weighted_model.h"

namespace tunesmith::decode::chart {

/// A trie of source sides; see RuleTrie. Categories are numbered per sentence. Returned options live as long
/// as the source.
class RuleSource {
 public:
  static constexpr uint32_t kRoot = 0;
  static constexpr uint32_t kNoNode = kNoNumber;

  virtual ~RuleSource() = default;
  virtual int32_t find_word(std::string_view word) const = 0;
  virtual uint32_t by_word(uint32_t node, int32_t word) const = 0;

  using Gap = grammar::RuleTrie::Gap;
  /// Appends the successors by a gap of a node whose source side has `arity` gaps already.
  virtual void gaps(uint32_t node, uint32_t arity, std::vector<Gap>& found) const = 0;

  virtual bool has_rules(uint32_t node) const = 0;
  struct Rules {
    uint32_t category;
    std::span<const Option> options;
  };
  /// Appends the rules of a node, and the lists that keep them alive.
  virtual void rules(uint32_t node, std::vector<Rules>& found, KeptRules& kept) const = 0;
  /// Maximum number of columns that a rule may cover; 0: no limit.
  virtual uint32_t span_limit() const = 0;
};

/// The pairs of a phrase table, as rules without gaps.
std::unique_ptr<RuleSource> phrase_source(const WeightedModel& model, size_t table);
/// The rules of one of the model's grammars.
std::unique_ptr<RuleSource> grammar_source(const WeightedModel& model, size_t grammar);
/// The rules of a grammar of the sentence. `use` and the words must outlive it.
std::unique_ptr<RuleSource> sentence_source(const WeightedModel& model, const grammar::GrammarUse& use,
                                            const TargetWords& words);

}  // namespace tunesmith::decode::chart
