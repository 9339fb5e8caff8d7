// Greedy merging of classes, as Brown et al. (1992) cluster words.
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/extract/classes/counts.h"

namespace tunesmith::extract::classes {

/// Merges, of the first `mergeable` classes, the two whose merge costs the least mutual information, until
/// `keep` are left; returns the new number of each. Classes after `mergeable` stay apart. The cost of a
/// pair is kept and only what a merge changes of it is renewed: O(classes^2) a merge.
std::vector<int32_t> merge_classes(const ClassCounts& counts, size_t mergeable, size_t keep);

}  // namespace tunesmith::extract::classes
