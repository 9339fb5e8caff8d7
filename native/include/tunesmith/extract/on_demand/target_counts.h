// How often target sides of a grammar occur at all, which a sample of source places cannot tell.
#pragma once

#include <cstdint>
#include <span>

#include "tunesmith/extract/on_demand/grammar.h"
#include "tunesmith/extract/on_demand/rule_finder.h"
#include "tunesmith/extract/rules/limits.h"

namespace tunesmith::extract::on_demand {

/// Fills `target` and `target_joint` of each rule from a sample of the places of its target words:
/// p(f|e) = target_joint / target. Exact where nothing is sampled, but for places whose target span is beyond
/// turned_limits. A rule that the sample lacks counts once. `targets` finds rules of target patterns.
/// O(target sides * samples) where the finder has not seen them before.
void count_targets(RuleFinder& targets, const rules::RuleLimits& limits, std::span<const int64_t> excluded,
                   Grammar& grammar);

}  // namespace tunesmith::extract::on_demand
