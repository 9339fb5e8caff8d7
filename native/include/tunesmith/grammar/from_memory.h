// In-memory synchronous grammars (SCFG) with any number of nonterminal categories and of gaps per rule.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/base/name_table.h"
#include "tunesmith/grammar/rule_trie.h"

namespace tunesmith::grammar {

/// Rule trie with all branches in one hash table: O(1) per symbol. A gap of category c is keyed as -1 - c.
class MemoryGrammar : public RuleTrie {
 public:
  int32_t find_word(std::string_view word) const override { return source_words_.find(word); }
  std::string_view source_word(int32_t word) const override { return source_words_[word]; }
  Texts target_words() const override { return target_words_.names().view(); }
  const std::vector<std::string>& categories() const override { return categories_; }
  const std::vector<std::string>& feature_names() const override { return feature_names_; }
  size_t rule_count() const override { return rules_.size(); }

  uint32_t by_word(uint32_t node, int32_t word) const override {
    return word < 0 ? kNoNode : child(node, word);
  }
  uint32_t by_gap(uint32_t node, uint32_t, uint32_t category) const override {
    return category < categories_.size() ? child(node, gap_symbol(category)) : kNoNode;
  }
  void gaps(uint32_t node, uint32_t, std::vector<Gap>& found) const override {
    for (uint32_t i = gap_begins_[node]; i < gap_begins_[node + 1]; ++i) found.push_back(gaps_[i]);
  }
  bool has_rules(uint32_t node) const override { return begins_[node] != begins_[node + 1]; }
  void rules(uint32_t node, RuleRows& rows) const override;
  std::vector<Symbol> source(uint32_t node) const override;

 private:
  friend class MemoryGrammarBuilder;
  MemoryGrammar() = default;

  static uint64_t branch(uint32_t node, Symbol symbol) {
    return uint64_t{node} << 32 | static_cast<uint32_t>(symbol);
  }
  uint32_t child(uint32_t node, Symbol symbol) const {
    const uint32_t* found = children_.find(branch(node, symbol));
    return found == nullptr ? kNoNode : *found;
  }

  NameTable source_words_, target_words_;
  std::vector<std::string> categories_, feature_names_;
  FlatMap<uint32_t> children_;
  std::vector<uint32_t> parents_{kNoNode};
  std::vector<Symbol> symbols_{0};      // on the branch into each node
  RuleRows rules_;                      // in the order of insertion
  std::vector<uint32_t> begins_{0, 0};  // the rules of node n are order_[begins_[n], begins_[n + 1])
  std::vector<uint32_t> order_;
  std::vector<uint32_t> gap_begins_{0, 0};  // the gap children of node n, likewise within gaps_
  std::vector<Gap> gaps_;
};

/// A rule to insert, by the builder's numbers of words, categories and features.
struct TrieRule {
  uint32_t category = 0;
  std::span<const Symbol> source;  // words; a gap of category c is -1 - c
  std::span<const Symbol> target;  // words; gaps by their order on the source side, see rule.h
  std::span<const corpus::Link> links;
  std::span<const FeatureValue> values;
  Border border = Border::kNone;
};

/// Collects the rules of a MemoryGrammar. Duplicate rules are all kept.
class MemoryGrammarBuilder {
 public:
  MemoryGrammarBuilder() : grammar_(new MemoryGrammar) {}

  uint32_t category(std::string_view name) { return static_cast<uint32_t>(categories_.intern(name)); }
  uint32_t feature(std::string_view name) { return static_cast<uint32_t>(features_.intern(name)); }
  Symbol source_word(std::string_view word) { return grammar_->source_words_.intern(word); }
  Symbol target_word(std::string_view word) { return grammar_->target_words_.intern(word); }

  /// Throws InputError if a rule is invalid: empty source side, gaps that do not occur once on each side,
  /// links between symbols that are not words, duplicate or non-finite features, or unknown numbers.
  /// O(symbols).
  void add(const TrieRule& rule);
  /// Returns the grammar and consumes the builder. O(rules + nodes).
  std::shared_ptr<MemoryGrammar> build();

 private:
  void check(const TrieRule& rule);
  void check_gaps(const TrieRule& rule);
  void check_links(const TrieRule& rule) const;
  void check_values(const TrieRule& rule);
  uint32_t node_of(std::span<const Symbol> source);

  std::shared_ptr<MemoryGrammar> grammar_;
  NameTable categories_, features_;
  std::vector<uint32_t> nodes_;  // one per rule
  // Input is mostly sorted: a rule often has the source side of the previous one.
  std::vector<Symbol> last_source_;
  uint32_t last_node_ = RuleTrie::kRoot;
  std::vector<bool> used_gaps_;
  std::vector<uint64_t> used_by_;  // the last rule with this feature, counted from 1
  uint64_t checked_ = 0;
};

}  // namespace tunesmith::grammar
