// The memory that what grows holds.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

namespace tunesmith {

/// What a vector holds that began empty and grew to this size: capacities double. Memory that is left from an
/// earlier and longer sentence does not count, so that what is told of a sentence depends on nothing else.
template <class T>
size_t held_bytes(const std::vector<T>& values) {
  return values.empty() ? 0 : std::bit_ceil(values.size()) * sizeof(T);
}

}  // namespace tunesmith
