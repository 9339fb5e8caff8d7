// Greedy agglomerative merging of word classes (Brown et al. 1992).
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/extract/classes/counts.h"

namespace tunesmith::extract::classes {

/// Among the first `mergeable` classes, merges the pair that loses the least mutual information, until `keep`
/// are left; returns the new number of each. The other classes are not merged. Costs of pairs are cached and
/// updated incrementally: O(classes^2) per merge.
std::vector<int32_t> merge_classes(const ClassCounts& counts, size_t mergeable, size_t keep);

}  // namespace tunesmith::extract::classes
