// Forests whose yields begin and end with words of their own, so that n-grams tell where a sentence ends.
#pragma once

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// The words at the borders, by number. No other word has these numbers, whatever its letters.
struct BorderWords {
  grammar::Symbol begin;
  grammar::Symbol end;
};

struct BorderedForest {
  Forest forest;
  BorderWords words;
};

/// The same nodes and edges, with a word before the yield of every derivation and a word after it.
///
/// The word before is added as low as possible: a node that derivations have nowhere but at the beginning of
/// their yields hands it on to the tail at the beginning of its edges, unless that tail also stands
/// elsewhere. So a lattice gets it in its first edges, and no node needs to know with which words its yields
/// begin. The word after likewise. Rules are copied where words are added. O(size).
BorderedForest with_borders(const Forest& forest);

}  // namespace tunesmith::forest
