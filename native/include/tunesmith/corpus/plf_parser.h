// Word lattices in PLF (Python Lattice Format), as read by Moses and cdec.
#pragma once

#include <string_view>

#include "tunesmith/corpus/word_lattice.h"

namespace tunesmith::corpus {

/// `((('A',0.5,1),('C',0.25,1),),(('B',2,1),),)`: one tuple of arcs (word, value, distance to the end node)
/// per node. Words are in single or double quotes; a backslash escapes the next byte. The score of an arc is
/// max(log value, -100), as in Moses. Instead of the value, a dict may give named features,
/// `{'LatticePosterior': -0.7, 'Parts': 2}`, used without a log, as in cdec; each at most once per dict, and
/// at most 1e6 in absolute value. `()` is an empty sentence.
///
/// The text must be UTF-8. Anything but a lattice is an InputError with the byte position.
WordLattice parse_plf(std::string_view text);

}  // namespace tunesmith::corpus
