// Partitioning of uneven work into shares of about equal size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith {

/// Boundaries b with b[0] = 0 and b[n] = work.size(): items [b[k], b[k + 1]) are about 1/shares of the total
/// work, or more if one item is. They do not depend on the number of threads.
inline std::vector<size_t> work_shares(std::span<const int64_t> work, size_t shares) {
  int64_t total = 0;
  for (const int64_t each : work) total += each;
  const int64_t enough = total / static_cast<int64_t>(shares) + 1;
  std::vector<size_t> borders{0};
  int64_t taken = 0;
  for (size_t i = 0; i < work.size(); ++i) {
    taken += work[i];
    if (taken >= enough) {
      borders.push_back(i + 1);
      taken = 0;
    }
  }
  if (borders.back() != work.size()) borders.push_back(work.size());
  return borders;
}

}  // namespace tunesmith
