// Forests as the text formats of Moses.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tunesmith/forest.h"

namespace tunesmith {

/// The hypergraph of one sentence, as HypergraphParser reads it. Words keep what the format can hold: `|` is
/// `&#124;`, and the brackets of a word like [1] are escaped, as Moses does. A word or a name of a feature
/// that is empty or holds a blank is an InputError. The words `<s>` and `</s>`, which would be left out on
/// reading, are `&lt;s&gt;` and `&lt;/s&gt;` unless `keep_boundaries`.
std::string format_hypergraph(const Forest& forest, bool keep_boundaries = false);

/// The search graph of one sentence, as SearchGraphParser reads it: extended, with all features, or plain,
/// with transitions only. `scores` are those of the edges: they are the transitions, and tell which
/// hypothesis of a node is the best, the others being recombined with it. A forest that is not a phrase
/// lattice (an edge with two tails, or with words before its tail) is an InputError.
std::string format_search_graph(const Forest& forest, std::string_view id, std::span<const double> scores,
                                bool extended);

}  // namespace tunesmith
