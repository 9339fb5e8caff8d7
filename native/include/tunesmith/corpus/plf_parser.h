// Word lattices in PLF, the form in which Moses and cdec read them.
#pragma once

#include <string_view>

#include "tunesmith/corpus/word_lattice.h"

namespace tunesmith::corpus {

/// `((('A',0.5,1),('C',0.25,1),),(('B',2,1),),)`: for each node a tuple of arcs (word, value, distance to the
/// node where the arc ends). Words are in quotes of either kind; a backslash takes the next byte as it is.
/// The score of an arc is max(log value, -100), as in Moses; in place of the value a dict may name features,
/// `{'LatticePosterior': -0.7, 'Parts': 2}`, whose values are taken as they are, as in cdec; each at most
/// once in a dict, and none above 1e6 in size. `()` is an empty sentence.
///
/// The text must be UTF-8. Whatever is not a lattice is an InputError that tells the byte.
WordLattice parse_plf(std::string_view text);

}  // namespace tunesmith::corpus
