#include "tunesmith/align/jump_kernels.h"

#include <algorithm>
#include <cstring>

#include "tunesmith/base/wide.h"

namespace tunesmith::align {

namespace {

constexpr size_t kFloats = sizeof(WideFloats) / sizeof(float), kVectors = kJumpSlack / kFloats;

}  // namespace

// A block of kJumpSlack positions stays in registers while all jumps into it are added. Lanes beyond n are
// computed and not stored.

TUNESMITH_WIDE void add_jumps(const float* from, const float* weights, float* to, size_t n) {
  for (size_t first = 0; first < n; first += kJumpSlack) {
    const size_t bytes = sizeof(float) * std::min(kJumpSlack, n - first);
    WideFloats sums[kVectors] = {};
    std::memcpy(sums, to + first, bytes);
    for (size_t r = 0; r < n; ++r) {
      const float* at = weights + first - r;
      const float share = from[r];
      for (size_t v = 0; v < kVectors; ++v) {
        WideFloats jump;
        std::memcpy(&jump, at + v * kFloats, sizeof jump);
        sums[v] += share * jump;
      }
    }
    std::memcpy(to + first, sums, bytes);
  }
}

TUNESMITH_WIDE void best_jumps(const float* from, const float* weights, float* best, int32_t* back,
                               size_t n) {
  for (size_t first = 0; first < n; first += kJumpSlack) {
    const size_t bytes = sizeof(float) * std::min(kJumpSlack, n - first);
    WideFloats most[kVectors] = {};
    WideInts origins[kVectors] = {};
    std::memcpy(most, best + first, bytes);
    std::memcpy(origins, back + first, bytes);
    for (size_t r = 0; r < n; ++r) {
      const float* at = weights + first - r;
      const float share = from[r];
      const WideInts here = WideInts{} + static_cast<int32_t>(r);
      for (size_t v = 0; v < kVectors; ++v) {
        WideFloats jump;
        std::memcpy(&jump, at + v * kFloats, sizeof jump);
        const WideFloats reached = share * jump;
        const auto better = reached > most[v];
        most[v] = better ? reached : most[v];
        origins[v] = better ? here : origins[v];
      }
    }
    std::memcpy(best + first, most, bytes);
    std::memcpy(back + first, origins, bytes);
  }
}

}  // namespace tunesmith::align
