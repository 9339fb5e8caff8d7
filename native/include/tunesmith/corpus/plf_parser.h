// Word lattices in PLF (Python Lattice Format), as read by Moses and cdec.
#pragma once

#include <string_view>

#include "tunesmith/corpus/word_lattice.h"

namespace tunesmith::corpus {

/// `((('A',0.5,1),('C',0.25,1),),(('B',2,1),),)`: one tuple of arcs (word, value, distance to the end node)
/// per node. Words are in single or double quotes; a backslash escapes the next byte. The score of an arc is
/// max(log value, -100), as in Moses. As in Moses, the last field is the distance and there may be any number
/// of values before it: none, `('A',1)`, has score 0; the second one and so on, `('A',0.5,0.1,1)`, are the
/// features InputFeature0_1, InputFeature0_2, ... with their logs; then `name=value`, used without a log.
/// Instead of values, a dict may give named features, `{'LatticePosterior': -0.7, 'Parts': 2}`, used without
/// a log, as in cdec. A feature occurs at most once per arc, and is at most 1e6 in absolute value. `()` is an
/// empty sentence.
///
/// The text must be UTF-8. Anything but a lattice is an InputError with the byte position.
WordLattice parse_plf(std::string_view text);

}  // namespace tunesmith::corpus
