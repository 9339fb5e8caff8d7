// Writer of Moses hypergraphs.
#pragma once

#include <string>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest::formats {

/// The hypergraph of one sentence, as HypergraphParser reads it. Words are escaped as by Moses: `|` is
/// `&#124;`, and so are the brackets of a word like [1]. Throws InputError for a word or feature name that is
/// empty or has a space. The words `<s>` and `</s>`, which the parser would remove, are `&lt;s&gt;` and
/// `&lt;/s&gt;` unless `keep_boundaries`.
std::string format_hypergraph(const Forest& forest, bool keep_boundaries = false);

}  // namespace tunesmith::forest::formats
