// Interface of grammars for the chart decoder: a trie of source sides.
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

/// Sentence markers before and after every input, matched by the rules that begin and end translations. Words
/// of a text contain no space, so none can be mistaken for a marker.
inline constexpr std::string_view kBeginMark = " <s>";
inline constexpr std::string_view kEndMark = " </s>";

/// Rules of one source side, as parallel arrays. Words, categories and columns are the grammar's own numbers.
struct RuleRows {
  std::vector<uint32_t> numbers;     // of the rules within their grammar
  std::vector<uint32_t> categories;  // of the left-hand sides
  std::vector<Border> borders;
  Rows<Symbol> targets;
  Rows<corpus::Link> links;  // positions of words on both sides, where gaps count as positions
  Rows<FeatureValue> values;

  size_t size() const { return numbers.size(); }
};

/// Synchronous rules in a trie, descended by the symbols of the source side: words, and categories for gaps.
/// Gaps are numbered from left to right on the source side. Immutable, and shared by threads.
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
  /// The node after the `gap`-th gap (from 0) of the source side, filled by `category`, or kNoNode.
  virtual uint32_t by_gap(uint32_t node, uint32_t gap, uint32_t category) const = 0;
  struct Gap {
    uint32_t category;
    uint32_t node;
  };
  /// Appends the nodes after the `gap`-th gap, for all categories.
  virtual void gaps(uint32_t node, uint32_t gap, std::vector<Gap>& found) const = 0;
  virtual bool has_rules(uint32_t node) const = 0;
  /// Appends the rules of a node, in the order of insertion.
  virtual void rules(uint32_t node, RuleRows& rows) const = 0;
  /// The source side of a node.
  virtual std::vector<Symbol> source(uint32_t node) const = 0;
};

}  // namespace tunesmith::grammar
