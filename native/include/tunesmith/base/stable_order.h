// Stable argsort of doubles in linear time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith {

/// Indices of the keys in ascending order; equal keys stay in input order. Keys must not be NaN; -0 sorts
/// before 0. Radix sort by bytes; bytes that all keys share are skipped.
std::vector<uint32_t> stable_order(std::span<const double> keys);

}  // namespace tunesmith
