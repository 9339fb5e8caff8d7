// Words, word alignment and segmentation of a derivation.
#pragma once

#include <span>
#include <vector>

#include "tunesmith/forest/derivation.h"

namespace tunesmith::forest {

/// Source and target span of an edge.
struct DerivationSegment {
  SourceSpan source;
  SourceSpan target;

  friend bool operator==(const DerivationSegment&, const DerivationSegment&) = default;
};

struct DerivationReading {
  std::vector<grammar::Symbol> words;
  std::vector<corpus::Link> links;          // positions in the sentence, sorted, each once
  std::vector<DerivationSegment> segments;  // by target position, outer before inner
};

/// Reads words, alignment and segments off a derivation.
///
/// An edge *adds a phrase*, as in phrase lattices, if it has one tail, whose gap is first in its target, and
/// the tail's source span is not within its own; its segment then excludes the tail. Other segments include
/// everything below the edge. An edge of unknown span or without words has no segment.
///
/// Links of a rule are between positions of its two sides, gaps included. A source position is computed from
/// the span of the edge, its source side, and the spans of the tails in its gaps; if one of them is unknown,
/// or the link is to a gap, the link is omitted. Phrases need no source side. O(words + edges + links).
DerivationReading read_derivation(const Forest& forest, std::span<const uint32_t> edges);

}  // namespace tunesmith::forest
