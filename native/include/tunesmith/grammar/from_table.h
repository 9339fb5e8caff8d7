// Adapter: a memory-mapped rule table as a rule trie with the single category X.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/grammar/rule_table.h"
#include "tunesmith/grammar/rule_trie.h"

namespace tunesmith::grammar {

/// The features are the table's, without zeros. A node's child by word is found in a hash table if the node
/// has many children, by binary search otherwise.
class TableGrammar : public RuleTrie {
 public:
  /// Throws InputError if the table has 2^32 rules or more. O(nodes).
  explicit TableGrammar(std::shared_ptr<const RuleTable> table);

  int32_t find_word(std::string_view word) const override { return table_->source_words().find(word); }
  std::string_view source_word(int32_t word) const override { return table_->source_words().word(word); }
  Texts target_words() const override { return table_->target_words().words(); }
  const std::vector<std::string>& categories() const override { return categories_; }
  const std::vector<std::string>& feature_names() const override { return feature_names_; }
  size_t rule_count() const override { return table_->rules(); }

  uint32_t by_word(uint32_t node, int32_t word) const override;
  uint32_t by_gap(uint32_t node, uint32_t gap, uint32_t category) const override;
  void gaps(uint32_t node, uint32_t gap, std::vector<Gap>& found) const override {
    if (const uint32_t next = by_gap(node, gap, 0); next != kNoNode) found.push_back({0, next});
  }
  bool has_rules(uint32_t node) const override {
    const auto [begin, end] = table_->rules_of(node);
    return begin != end;
  }
  void rules(uint32_t node, RuleRows& rows) const override;
  std::vector<Symbol> source(uint32_t node) const override;

 private:
  static constexpr uint32_t kManyChildren = 32;

  static uint64_t branch(uint32_t node, int32_t word) {
    return uint64_t{node} << 32 | static_cast<uint32_t>(word);
  }

  std::shared_ptr<const RuleTable> table_;
  FlatMap<uint32_t> wide_;  // children by word, of nodes with kManyChildren or more
  std::vector<std::string> categories_{"X"}, feature_names_;
};

}  // namespace tunesmith::grammar
