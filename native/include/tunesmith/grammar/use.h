// A grammar within a model: what its numbers mean there.
#pragma once

#include <memory>
#include <vector>

#include "tunesmith/grammar/rule_trie.h"

namespace tunesmith::grammar {

/// How a grammar is used.
struct GrammarLimits {
  size_t rules = 0;        // of a source side, the best ones; 0 is without limit
  uint32_t span = 0;       // columns of the input that a rule may cover; 0 is without limit
  bool is_counted = true;  // see Option
};

struct GrammarUse {
  std::shared_ptr<const RuleTrie> trie;
  GrammarLimits limits;
  int64_t first_rule = 0;            // what the numbers of its rules are counted from
  uint32_t first_phrase = 0;         // and of its target sides
  std::vector<int32_t> words;        // its target words in the numbers of the decoder
  std::vector<uint32_t> columns;     // its features' columns; kNoNumber for those that count nothing
  std::vector<uint32_t> categories;  // its categories in the numbers of the decoder

  /// The rules of a node, by the numbers of the decoder; values without a column are left out.
  RuleRows rules(uint32_t node) const;
};

}  // namespace tunesmith::grammar
