// Forests without the rules and names that nothing uses.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// New numbers for what is in use, in order; kUnused for the rest.
inline constexpr uint32_t kUnused = std::numeric_limits<uint32_t>::max();
std::vector<uint32_t> compact_numbers(const std::vector<uint8_t>& used);

/// The rules that edges use, in order. The numbers of the edges' rules become those of the result.
ForestRules used_rules(const ForestRules& rules, std::vector<uint32_t>& edge_rules);

/// The same forest with the words and features that its rules and edges use, in order, and no others: a
/// forest that can be sent elsewhere without the names of its whole file. O(size of the arrays and names).
Forest compact_names(const Forest& forest);

}  // namespace tunesmith::forest
