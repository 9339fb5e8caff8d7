// Forests as the hypergraphs of Moses.
#pragma once

#include <string>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest::formats {

/// The hypergraph of one sentence, as HypergraphParser reads it. Words keep what the format can hold: `|` is
/// `&#124;`, and the brackets of a word like [1] are escaped, as Moses does. A word or a name of a feature
/// that is empty or holds a blank is an InputError. The words `<s>` and `</s>`, which would be left out on
/// reading, are `&lt;s&gt;` and `&lt;/s&gt;` unless `keep_boundaries`.
std::string format_hypergraph(const Forest& forest, bool keep_boundaries = false);

}  // namespace tunesmith::forest::formats
