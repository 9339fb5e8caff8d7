// Forests with sentence markers: a word before and a word after every yield, so that n-grams see the ends.
#pragma once

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// The sentence markers, as word numbers that no other word has, even one of the same spelling.
struct BorderWords {
  grammar::Symbol begin;
  grammar::Symbol end;
};

struct BorderedForest {
  Forest forest;
  BorderWords words;
};

/// The same nodes and edges, with a marker before and a marker after the yield of every derivation.
///
/// The first marker is added as low as possible: a node that occurs only at the beginning of yields passes it
/// on to the first tail of its edges, unless that tail also occurs elsewhere. A lattice thus has it in its
/// first edges, and no node needs the first words of its yields as context. Likewise the last marker. Rules
/// are copied where a marker is added. O(size).
BorderedForest with_borders(const Forest& forest);

}  // namespace tunesmith::forest
