// Per-sentence grammar with sampled counts, as flat arrays.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/grammar/rule.h"

namespace tunesmith::extract::on_demand {

/// Counts of a rule in the sample; features are functions of them.
struct SampledCounts {
  float joint = 0;                    // occurrences of the rule
  float source = 0;                   // occurrences of all rules with its source side
  float samples = 0;                  // sampled occurrences of the source words
  float without_rule = 0;             // sampled occurrences that gave no rule with this source side
  float target_joint = 0;             // occurrences of the rule among those of its target words
  float target = 0;                   // occurrences of all rules with its target side; 0 if not requested
  float lex_source_given_target = 0;  // see LinkLexicon::best_costs
  float lex_target_given_source = 0;
};

/// Rules grouped by source side. Side i is source[source_offsets[i], source_offsets[i + 1]); its rules are
/// [rules[i], rules[i + 1]), the most frequent first.
struct Grammar {
  std::vector<grammar::Symbol> source;
  std::vector<int64_t> source_offsets{0};
  std::vector<int64_t> rules{0};
  std::vector<grammar::Symbol> target;
  std::vector<int64_t> target_offsets{0};
  std::vector<corpus::Link> links;
  std::vector<int64_t> link_offsets{0};
  std::vector<SampledCounts> counts;

  size_t sides() const { return rules.size() - 1; }
  size_t size() const { return counts.size(); }
  std::span<const grammar::Symbol> source_side(size_t side) const {
    return slice(source, source_offsets, side);
  }
  std::span<const grammar::Symbol> target_side(size_t rule) const {
    return slice(target, target_offsets, rule);
  }
  std::span<const corpus::Link> alignment(size_t rule) const { return slice(links, link_offsets, rule); }

  /// Ends a source side: the rules added since the previous one are its rules.
  void end_side(std::span<const grammar::Symbol> side) {
    source.insert(source.end(), side.begin(), side.end());
    source_offsets.push_back(static_cast<int64_t>(source.size()));
    rules.push_back(static_cast<int64_t>(counts.size()));
  }
  void add(std::span<const grammar::Symbol> side, std::span<const corpus::Link> alignment_,
           const SampledCounts& counted) {
    target.insert(target.end(), side.begin(), side.end());
    target_offsets.push_back(static_cast<int64_t>(target.size()));
    links.insert(links.end(), alignment_.begin(), alignment_.end());
    link_offsets.push_back(static_cast<int64_t>(links.size()));
    counts.push_back(counted);
  }
  /// Appends a source side of another grammar with its rules.
  void append(const Grammar& other, size_t side);
  /// Memory use of the arrays in bytes.
  size_t bytes() const;

 private:
  template <class T>
  static std::span<const T> slice(const std::vector<T>& values, const std::vector<int64_t>& offsets,
                                  size_t i) {
    return std::span(values).subspan(static_cast<size_t>(offsets[i]),
                                     static_cast<size_t>(offsets[i + 1] - offsets[i]));
  }
};

}  // namespace tunesmith::extract::on_demand
