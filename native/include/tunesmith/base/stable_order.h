// Sorting by doubles in time linear in their number.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith {

/// The indices of the keys in rising order, equal keys in the order in which they came. Keys must not
/// be NaN; -0 comes before 0. Radix sort, a byte at a time; bytes that all keys share are skipped.
std::vector<uint32_t> stable_order(std::span<const double> keys);

}  // namespace tunesmith
