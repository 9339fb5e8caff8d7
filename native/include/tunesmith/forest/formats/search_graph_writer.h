// Forests as the search graphs of Moses.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest::formats {

/// The search graph of one sentence, as SearchGraphParser reads it: extended, with all features, or plain,
/// with transitions only. `scores` are those of the edges: they are the transitions, and tell which
/// hypothesis of a node is the best, the others being recombined with it. A forest that is not a phrase
/// lattice (an edge with two tails, or with words before its tail) is an InputError.
std::string format_search_graph(const Forest& forest, std::string_view id, std::span<const double> scores,
                                bool extended);

}  // namespace tunesmith::forest::formats
