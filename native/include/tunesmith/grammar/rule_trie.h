// Where a chart decoder finds rules: a trie of source sides.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/range.h"
#include "tunesmith/base/rows.h"
#include "tunesmith/base/texts.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::grammar {

/// What stands before and after every sentence, for rules that begin and end translations. No word of a text
/// has a space, so that none can be taken for a mark.
inline constexpr std::string_view kBeginMark = " <s>";
inline constexpr std::string_view kEndMark = " </s>";

/// The rules of one source side, side by side. Words, categories and columns go by the grammar's own numbers.
struct RuleRows {
  std::vector<uint32_t> numbers;     // of the rules within their grammar
  std::vector<uint32_t> categories;  // what each of them makes
  std::vector<Border> borders;
  Rows<Symbol> targets;
  Rows<corpus::Link> links;  // positions of words on both sides, gaps counted
  Rows<FeatureValue> values;

  size_t size() const { return numbers.size(); }
};

/// Synchronous rules. Source sides are walked symbol by symbol; a gap is walked by the category of what fills
/// it. Gaps have the numbers of their order on the source side. A grammar never changes, and threads share
/// it.
class RuleTrie {
 public:
  static constexpr uint32_t kRoot = 0;
  static constexpr uint32_t kNoNode = kNoNumber;

  virtual ~RuleTrie() = default;
  /// The number of a source word; -1 if no rule has it.
  virtual int32_t find_word(std::string_view word) const = 0;
  virtual std::string_view source_word(int32_t word) const = 0;
  virtual Texts target_words() const = 0;
  virtual const std::vector<std::string>& categories() const = 0;
  virtual const std::vector<std::string>& feature_names() const = 0;
  virtual size_t rule_count() const = 0;

  /// The node after a word, or kNoNode.
  virtual uint32_t by_word(uint32_t node, int32_t word) const = 0;
  /// The node after the `gap`-th gap of the source side, from 0.
  virtual uint32_t by_gap(uint32_t node, uint32_t gap, uint32_t category) const = 0;
  struct Gap {
    uint32_t category;
    uint32_t node;
  };
  /// Appends where the `gap`-th gap leads, whatever fills it.
  virtual void gaps(uint32_t node, uint32_t gap, std::vector<Gap>& found) const = 0;
  virtual bool has_rules(uint32_t node) const = 0;
  /// Appends the rules of a node, in the order in which they came.
  virtual void rules(uint32_t node, RuleRows& rows) const = 0;
  /// The source side of a node.
  virtual std::vector<Symbol> source(uint32_t node) const = 0;
};

}  // namespace tunesmith::grammar
