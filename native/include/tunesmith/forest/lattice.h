// Forests that are phrase lattices, and what their nodes cover.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// Whether each edge adds words to at most one tail, as in the graphs of phrase decoders.
bool is_lattice(const Forest& forest);

inline int64_t span_width(SourceSpan span) { return std::max<int64_t>(0, int64_t{span.end} - span.begin); }

/// The source words that each node covers: in a lattice all on the way, else those of the span.
std::vector<int64_t> covered_words(const Forest& forest);

}  // namespace tunesmith::forest
