// Collects rules in any order and writes them as a RuleTable.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/base/name_table.h"
#include "tunesmith/grammar/rule.h"
#include "tunesmith/grammar/rule_table.h"

namespace tunesmith::grammar {

/// Features are sparse while they come, so that files may name them as they like; a table holds a column for
/// each name that came, and zeros.
class RuleTableBuilder {
 public:
  static constexpr size_t kMaxFeatures = 256;

  /// Words and names may be interned by the caller before and between rules.
  corpus::Vocabulary source_words;
  corpus::Vocabulary target_words;
  NameTable names;

  /// `counts` has three numbers, or none: then no rule may have any. Throws InputError where a rule is not
  /// one: no symbols, gaps that the sides do not share, links outside of the words.
  void add(const Rule& rule, std::span<const int32_t> columns, std::span<const float> values,
           std::span<const float> counts);
  size_t size() const { return source_begins_.size() - 1; }
  /// The sides of a rule that was added.
  std::span<const Symbol> source(uint32_t rule) const {
    return std::span(sources_).subspan(source_begins_[rule], source_begins_[rule + 1] - source_begins_[rule]);
  }
  std::span<const Symbol> target(uint32_t rule) const {
    return std::span(targets_).subspan(target_begins_[rule], target_begins_[rule + 1] - target_begins_[rule]);
  }

  /// Writes the table; `meta` is JSON. O(n log n).
  void write(const std::string& path, const std::string& meta) const;

 private:
  struct Trie {
    std::vector<Symbol> symbols{0};
    std::vector<uint32_t> children;
    std::vector<uint64_t> rules;
    std::vector<uint32_t> order;  // the numbers that rules had when they came
  };
  Trie make_trie() const;

  std::vector<Symbol> sources_, targets_;
  std::vector<PackedLink> links_;
  std::vector<int32_t> columns_;
  std::vector<float> values_, counts_;
  std::vector<size_t> source_begins_{0}, target_begins_{0}, link_begins_{0}, value_begins_{0};
};

}  // namespace tunesmith::grammar
