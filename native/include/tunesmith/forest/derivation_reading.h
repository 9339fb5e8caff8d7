// What a derivation says of the source: word alignment and segmentation.
#pragma once

#include <span>
#include <vector>

#include "tunesmith/forest/derivation.h"

namespace tunesmith::forest {

/// The source words of an edge and the target words that they became.
struct DerivationSegment {
  SourceSpan source;
  SourceSpan target;

  friend bool operator==(const DerivationSegment&, const DerivationSegment&) = default;
};

struct DerivationReading {
  std::vector<grammar::Symbol> words;
  std::vector<corpus::Link> links;          // positions in the sentence, sorted, each once
  std::vector<DerivationSegment> segments;  // by target position, an edge before those within it
};

/// Reads words, alignment and segments off a derivation.
///
/// An edge *adds a phrase*, as in phrase lattices, if it has one tail, whose gap comes first in its target,
/// and the tail's source span is not within its own; then its segment leaves the tail out. Other segments
/// hold all that is below the edge. An edge whose span nobody told, or that has no words, has none.
///
/// Links of a rule count positions of its two sides, gaps counted. A source position is found from the span
/// of the edge, its source side, and the spans of the tails in its gaps; where one of them is not told, or a
/// link touches a gap, the link is left out. Phrases need no source side. O(words + edges + links).
DerivationReading read_derivation(const Forest& forest, std::span<const uint32_t> edges);

}  // namespace tunesmith::forest
