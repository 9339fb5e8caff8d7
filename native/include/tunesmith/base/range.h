// Half-open ranges of input columns, and the sentinel for "no number".
#pragma once

#include <cstdint>
#include <limits>

namespace tunesmith {

/// Sentinel: no number.
inline constexpr uint32_t kNoNumber = std::numeric_limits<uint32_t>::max();

/// Columns [begin, end) of the input: words of a sentence, or the columns between two nodes of a lattice.
struct Range {
  uint32_t begin = 0;
  uint32_t end = 0;

  uint32_t size() const { return end - begin; }
  friend bool operator==(const Range&, const Range&) = default;
};

}  // namespace tunesmith
