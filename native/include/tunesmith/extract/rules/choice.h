// Tie-breaking between equally frequent alignments of a rule, as in Moses.
#pragma once

#include <span>

#include "tunesmith/corpus/alignment.h"

namespace tunesmith::extract::rules {

/// Whether alignment `a` sorts after `b` in Moses' order: compared as lists, by position on the scored side,
/// of sets of partners. Both must be sorted by source, then target.
bool after_by_target(std::span<const corpus::Link> a, std::span<const corpus::Link> b);
bool after_by_source(std::span<const corpus::Link> a, std::span<const corpus::Link> b);

}  // namespace tunesmith::extract::rules
