// How many features of each template have a weight.
#pragma once

#include <string>
#include <vector>

#include "tunesmith/weights/store.h"

namespace tunesmith::optimizers {

/// Number of features with a weight other than 0 by the longest of the given templates that they are of,
/// NAME or NAME_..., and last the number of those that are of none. O(features * templates).
std::vector<size_t> count_by_template(const weights::WeightStore& store,
                                      const std::vector<std::string>& templates);

}  // namespace tunesmith::optimizers
