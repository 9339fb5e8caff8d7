// Memory accounting for growing vectors.
#pragma once

#include <bit>
#include <cstddef>
#include <vector>

namespace tunesmith {

/// Bytes of a vector that grew from empty to this size by doubling. Capacity left over from an earlier,
/// longer sentence does not count, so that a sentence's reported memory depends on that sentence alone.
template <class T>
size_t held_bytes(const std::vector<T>& values) {
  return values.empty() ? 0 : std::bit_ceil(values.size()) * sizeof(T);
}

}  // namespace tunesmith
