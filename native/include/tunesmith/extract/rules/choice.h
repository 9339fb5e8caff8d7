// Which of a rule's alignments speaks for it.
#pragma once

#include <span>

#include "tunesmith/corpus/alignment.h"

namespace tunesmith::extract::rules {

/// Whether links `a` come after links `b` where alignments are compared as Moses compares them: as a list, by
/// position of the side that is scored, of the sets of partners. Both are sorted by source, then target.
bool after_by_target(std::span<const corpus::Link> a, std::span<const corpus::Link> b);
bool after_by_source(std::span<const corpus::Link> a, std::span<const corpus::Link> b);

}  // namespace tunesmith::extract::rules
