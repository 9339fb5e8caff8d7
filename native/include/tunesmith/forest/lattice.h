// Phrase lattices: forests of phrase decoders, and the source coverage of their nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// Whether each edge has at most one tail, and its words after it, as in graphs of phrase decoders.
bool is_lattice(const Forest& forest);

inline int64_t span_width(SourceSpan span) { return std::max<int64_t>(0, int64_t{span.end} - span.begin); }

/// Number of source words that each node covers: in a lattice the sum over a path, else the span's width.
std::vector<int64_t> covered_words(const Forest& forest);

}  // namespace tunesmith::forest
