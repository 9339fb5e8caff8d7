// A grammar within a model: maps its numbers of words, features and categories to the decoder's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tunesmith/grammar/rule_trie.h"

namespace tunesmith::grammar {

/// How the decoder restricts a grammar.
struct GrammarLimits {
  size_t rules = 0;             // per source side, the best ones; 0: no limit
  uint32_t span = 0;            // largest number of input columns that a rule may cover; 0: no limit
  bool is_counted = true;       // see Option
  size_t breadth = 0;           // the best per source side and category by `direct`, without weights; 0: all
  std::string direct = {};      // the grammar's feature of p(e|f)
  bool direct_is_cost = false;  // less of it is better
};

/// Some of the rules of a source side, in the given order.
RuleRows chosen_rows(const RuleRows& rows, std::span<const uint32_t> chosen);

struct GrammarUse {
  std::shared_ptr<const RuleTrie> trie;
  GrammarLimits limits;
  int64_t first_rule = 0;            // offset of its rule numbers in the model
  uint32_t first_phrase = 0;         // offset of the numbers of its target sides
  std::vector<int32_t> words;        // its target words by the decoder's numbers
  std::vector<uint32_t> columns;     // of its features in the model; kNoNumber for unused ones
  std::vector<uint32_t> categories;  // its categories by the decoder's numbers

  /// The rules of a node by the decoder's numbers, at most the breadth of each category, without the values
  /// of unused features.
  RuleRows rules(uint32_t node) const;
  /// The number of `limits.direct` among the grammar's features. An InputError if it has no such feature.
  uint32_t direct_column() const;
};

}  // namespace tunesmith::grammar
