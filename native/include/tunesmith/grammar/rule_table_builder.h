// Builder of rule tables: collects rules in any order and writes them sorted into a trie.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/base/name_table.h"
#include "tunesmith/grammar/rule.h"
#include "tunesmith/grammar/rule_table.h"

namespace tunesmith::grammar {

/// Features are sparse on input; the table has one dense column per feature name seen, with zeros for missing
/// values.
class RuleTableBuilder {
 public:
  static constexpr size_t kMaxFeatures = 256;

  /// The caller interns words and feature names, at any time before they are used.
  corpus::Vocabulary source_words;
  corpus::Vocabulary target_words;
  NameTable names;

  /// `counts` has three numbers for every rule or none for any. Throws InputError if a rule is invalid (see
  /// check_rule).
  void add(const Rule& rule, std::span<const int32_t> columns, std::span<const float> values,
           std::span<const float> counts);
  size_t size() const { return source_begins_.size() - 1; }
  /// The source side of an added rule.
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
    std::vector<uint32_t> order;  // rules by their numbers at insertion
  };
  Trie make_trie() const;

  std::vector<Symbol> sources_, targets_;
  std::vector<PackedLink> links_;
  std::vector<int32_t> columns_;
  std::vector<float> values_, counts_;
  std::vector<size_t> source_begins_{0}, target_begins_{0}, link_begins_{0}, value_begins_{0};
};

}  // namespace tunesmith::grammar
