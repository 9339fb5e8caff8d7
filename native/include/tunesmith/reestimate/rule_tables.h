// Tables of rules made of others: without rare rules, re-estimated, or mixed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/grammar/rule_table.h"

namespace tunesmith::reestimate {

/// How a column of a rule table stores a probability; other values are kept as they are.
enum class RuleScore : uint8_t { kOther, kCost, kLog };  // -log10 p, ln p

/// In place of the number of a rule in another table: it lacks the rule, or even its source side.
inline constexpr uint64_t kNoRule = UINT64_MAX, kNoRuleSource = UINT64_MAX - 1;

/// The number that each rule of a table has in another one. O(rules of both with the same source sides).
std::vector<uint64_t> find_rules(const grammar::RuleTable& table, const grammar::RuleTable& other);

/// Writes the rules whose count is not lower; all scores and counts stay. Returns how many are left. Throws
/// InputError if the table has no counts.
uint64_t write_frequent_rules(const grammar::RuleTable& table, double least_count, const std::string& path,
                              const std::string& meta);

/// Writes the used rules, with their counts, and with the columns of the baseline: columns[i] is that of
/// `uses` which replaces column i, or -1. Links are those of the baseline. Throws InputError if the baseline
/// lacks a rule.
void write_reestimated_rules(const grammar::RuleTable& uses, const grammar::RuleTable& baseline,
                             std::span<const int32_t> columns, const std::string& path,
                             const std::string& meta);

/// Writes all rules of the baseline, with p = weight p_reestimated + (1 - weight) p_baseline in the columns
/// whose kind is not kOther, where a rule that is not re-estimated has p_reestimated = 0. Counts are summed,
/// if the baseline has any, but a joint count of at most 1 stays: uses do not show that other sentences have
/// the rule. Both tables have the same columns.
void interpolate_rules(const grammar::RuleTable& reestimated, const grammar::RuleTable& baseline,
                       double weight, std::span<const RuleScore> kinds, const std::string& path,
                       const std::string& meta);

/// A row per rule: its count, and its probability in each of the other tables, by a column of that kind; 0
/// without the rule, -1 without its source side.
std::vector<double> matched_rule_scores(const grammar::RuleTable& rules,
                                        std::span<const grammar::RuleTable* const> among, size_t column,
                                        RuleScore kind);

}  // namespace tunesmith::reestimate
