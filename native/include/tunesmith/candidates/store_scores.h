// Model scores of candidates under weights that a learner changes in place.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/csr.h"
#include "tunesmith/weights/store.h"

namespace tunesmith::candidates {

/// The scores of rows [begin, end): sums in the order of the entries and in double precision, equal to
/// `Csr::dot` with the same weights. `numbers` are the features' numbers in the store, by column. O(entries).
std::vector<double> store_scores(const Csr& features, int64_t begin, int64_t end,
                                 std::span<const uint32_t> numbers, const weights::WeightStore& store);

}  // namespace tunesmith::candidates
