// Marginal counts of target sides, for p(f|e): a sample of source occurrences does not determine them.
#pragma once

#include <cstdint>
#include <span>

#include "tunesmith/extract/on_demand/grammar.h"
#include "tunesmith/extract/on_demand/rule_finder.h"
#include "tunesmith/extract/rules/limits.h"

namespace tunesmith::extract::on_demand {

/// Fills `target` and `target_joint` of each rule from a sample of the occurrences of its target words:
/// p(f|e) = target_joint / target. Exact without sampling, except for target spans beyond turned_limits. A
/// rule missing from the sample counts once. `targets` finds the rules of target patterns. O(target sides *
/// samples) for patterns not in the finder's cache.
void count_targets(RuleFinder& targets, const rules::RuleLimits& limits, std::span<const int64_t> excluded,
                   Grammar& grammar);

}  // namespace tunesmith::extract::on_demand
