// Removal of unused rules and names of a forest.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// Consecutive new numbers for the entries in use, in order; kUnused for the others.
inline constexpr uint32_t kUnused = std::numeric_limits<uint32_t>::max();
std::vector<uint32_t> compact_numbers(const std::vector<uint8_t>& used);

/// The rules that edges use, in order. `edge_rules` is renumbered to match the result.
ForestRules used_rules(const ForestRules& rules, std::vector<uint32_t>& edge_rules);

/// The same forest with only the words and features that its rules and edges use, in order: it can be sent
/// elsewhere without the vocabularies of its whole file. O(size of the arrays and names).
Forest compact_names(const Forest& forest);

}  // namespace tunesmith::forest
