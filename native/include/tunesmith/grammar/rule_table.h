// Hierarchical rules in a mapped file: a trie of source sides, and the rules of each by their numbers.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tunesmith/base/container.h"
#include "tunesmith/corpus/vocabulary.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::grammar {

/// A link of a rule's words, packed; a rule has fewer than 2^16 symbols a side.
struct PackedLink {
  uint16_t source;
  uint16_t target;
};

/// Throws InputError where a rule is not one: a side without symbols or with too many, gaps that the sides do
/// not share, links outside of it.
void check_rule(const Rule& rule);

/// Sections: vocabularies `source` and `target`; `trie.symbols`, `trie.children` and `trie.rules`, where
/// node n > 0 is reached by symbols[n], has the nodes from children[n] to below children[n + 1] as children,
/// sorted by symbol, and the rules from rules[n] to below rules[n + 1]; `targets` and `links` (pairs of
/// numbers), flat, with their `.offsets`; `features`, a row a rule; `counts`, rows of three (target, source,
/// joint) or nothing; `names` of features; and `meta`.
class RuleTable {
 public:
  static constexpr std::string_view kKind = "rules";
  static constexpr uint32_t kVersion = 1;
  static constexpr uint32_t kRoot = 0;
  static constexpr uint32_t kNoNode = 0;  // the root is nobody's child

  /// Maps a file. All of it is checked now, in O(size), so that look-ups need not: every rule is one, and
  /// numbers are finite.
  explicit RuleTable(const std::string& path);

  const corpus::VocabularyView& source_words() const { return source_words_; }
  const corpus::VocabularyView& target_words() const { return target_words_; }
  Texts feature_names() const { return names_; }
  size_t rules() const { return target_offsets_.size() - 1; }
  size_t nodes() const { return symbols_.size(); }

  /// The child of a node by a symbol, or kNoNode. O(log children).
  uint32_t child(uint32_t node, Symbol symbol) const;
  /// The children of a node are the nodes from first to below second, sorted by symbol.
  std::pair<uint32_t, uint32_t> children_of(uint32_t node) const {
    return {children_[node], children_[node + 1]};
  }
  /// By which a node is reached.
  Symbol symbol(uint32_t node) const { return symbols_[node]; }
  /// Of a node that is not the root. O(log nodes).
  uint32_t parent(uint32_t node) const;
  /// The node of a source side, or kNoNode.
  uint32_t find(std::span<const Symbol> source) const;
  /// Rules from first to below second; those of one node are in the order in which they came.
  std::pair<uint64_t, uint64_t> rules_of(uint32_t node) const { return {rules_[node], rules_[node + 1]}; }
  std::span<const Symbol> target(uint64_t rule) const { return part(targets_, target_offsets_, rule); }
  std::span<const PackedLink> links(uint64_t rule) const { return part(links_, link_offsets_, rule); }
  std::span<const float> features(uint64_t rule) const {
    return features_.subspan(rule * names_.size(), names_.size());
  }
  /// Target, source and joint count, or nothing where the table has none.
  std::span<const float> counts(uint64_t rule) const {
    return counts_.empty() ? counts_ : counts_.subspan(rule * 3, 3);
  }
  const Container& container() const { return container_; }

 private:
  template <class T>
  static std::span<const T> part(std::span<const T> all, std::span<const int64_t> offsets, uint64_t i) {
    return all.subspan(static_cast<size_t>(offsets[i]), static_cast<size_t>(offsets[i + 1] - offsets[i]));
  }
  void check() const;
  void check_rules() const;

  Container container_;
  corpus::VocabularyView source_words_, target_words_;
  std::span<const Symbol> symbols_;
  std::span<const uint32_t> children_;
  std::span<const uint64_t> rules_;
  std::span<const Symbol> targets_;
  std::span<const int64_t> target_offsets_;
  std::span<const PackedLink> links_;
  std::span<const int64_t> link_offsets_;
  std::span<const float> features_;
  std::span<const float> counts_;
  Texts names_;
};

}  // namespace tunesmith::grammar
