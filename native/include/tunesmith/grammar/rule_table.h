// Memory-mapped table of hierarchical rules: a trie of source sides, where rules are numbered by node.
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

/// An alignment link between words of a rule, packed; a side has fewer than 2^16 symbols.
struct PackedLink {
  uint16_t source;
  uint16_t target;
};

/// Throws InputError if a rule is invalid: a side is empty or too long, the sides have different gaps, or a
/// link is out of range.
void check_rule(const Rule& rule);

/// Sections of the file: vocabularies `source` and `target`; `trie.symbols`, `trie.children` and
/// `trie.rules`, where node n > 0 is reached by symbols[n], has the children [children[n], children[n + 1]),
/// sorted by symbol, and the rules [rules[n], rules[n + 1]); `targets` and `links` (pairs of numbers), flat,
/// with their `.offsets`; `features`, one row per rule; `counts`, rows of three (target, source, joint) or
/// empty; `names` of features; and `meta`.
class RuleTable {
 public:
  static constexpr std::string_view kKind = "rules";
  static constexpr uint32_t kVersion = 1;
  static constexpr uint32_t kRoot = 0;
  static constexpr uint32_t kNoNode = 0;  // the root is no node's child

  /// Maps a file and validates all of it in O(size), so that look-ups need no checks: rules are valid and
  /// numbers finite.
  explicit RuleTable(const std::string& path);

  const corpus::VocabularyView& source_words() const { return source_words_; }
  const corpus::VocabularyView& target_words() const { return target_words_; }
  Texts feature_names() const { return names_; }
  size_t rules() const { return target_offsets_.size() - 1; }
  size_t nodes() const { return symbols_.size(); }

  /// The child of a node by symbol, or kNoNode. O(log children).
  uint32_t child(uint32_t node, Symbol symbol) const;
  /// The children of a node: nodes [first, second), sorted by symbol.
  std::pair<uint32_t, uint32_t> children_of(uint32_t node) const {
    return {children_[node], children_[node + 1]};
  }
  /// The symbol on the branch into a node.
  Symbol symbol(uint32_t node) const { return symbols_[node]; }
  /// The parent of a node other than the root. O(log nodes).
  uint32_t parent(uint32_t node) const;
  /// The node of a source side, or kNoNode.
  uint32_t find(std::span<const Symbol> source) const;
  /// The rules of a node: [first, second), in the order of insertion.
  std::pair<uint64_t, uint64_t> rules_of(uint32_t node) const { return {rules_[node], rules_[node + 1]}; }
  std::span<const Symbol> target(uint64_t rule) const { return part(targets_, target_offsets_, rule); }
  std::span<const PackedLink> links(uint64_t rule) const { return part(links_, link_offsets_, rule); }
  std::span<const float> features(uint64_t rule) const {
    return features_.subspan(rule * names_.size(), names_.size());
  }
  /// Target, source and joint count; empty if the table has no counts.
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
