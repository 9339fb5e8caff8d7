// Writer of Moses search graphs.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest::formats {

/// The search graph of one sentence, as SearchGraphParser reads it: extended, with all features, or plain,
/// with transitions only. Transitions are the edge `scores`, which also decide the best hypothesis of a node,
/// with which the others are recombined. Throws InputError unless the forest is a phrase lattice (no edge
/// with two tails, or with words before its tail).
std::string format_search_graph(const Forest& forest, std::string_view id, std::span<const double> scores,
                                bool extended);

}  // namespace tunesmith::forest::formats
