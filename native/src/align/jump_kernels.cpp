#include "tunesmith/align/jump_kernels.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

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

namespace {

TUNESMITH_WIDE void best_jumps_from(std::span<const int32_t> origins, const float* from, const float* weights,
                                    float* best, int32_t* back, size_t n) {
  for (size_t first = 0; first < n; first += kJumpSlack) {
    const size_t bytes = sizeof(float) * std::min(kJumpSlack, n - first);
    WideFloats most[kVectors] = {};
    WideInts backs[kVectors] = {};
    std::memcpy(most, best + first, bytes);
    std::memcpy(backs, back + first, bytes);
    for (const int32_t r : origins) {
      const float* at = weights + static_cast<int64_t>(first) - r;
      const float share = from[r];
      const WideInts here = WideInts{} + r;
      for (size_t v = 0; v < kVectors; ++v) {
        WideFloats jump;
        std::memcpy(&jump, at + v * kFloats, sizeof jump);
        const WideFloats reached = share * jump;
        const auto better = reached > most[v];
        most[v] = better ? reached : most[v];
        backs[v] = better ? here : backs[v];
      }
    }
    std::memcpy(best + first, most, bytes);
    std::memcpy(back + first, backs, bytes);
  }
}

}  // namespace

void best_jumps(const float* from, const JumpWidths& widths, float* best, int32_t* back, size_t n) {
  const float least = *std::max_element(from, from + n) * widths.least(n), most = widths.most(n);
  std::array<int32_t, kLongestHmm> origins;
  size_t count = 0;
  for (size_t r = 0; r < n; ++r) {
    origins[count] = static_cast<int32_t>(r);
    count += from[r] * most >= least ? 1 : 0;
  }
  best_jumps_from({origins.data(), count}, from, widths.forward(0), best, back, n);
}

TUNESMITH_WIDE float stay_or_jump(const float* before, float stay, int32_t stayed, const float* emissions,
                                  float made, float* jumped, int32_t* back, size_t n) {
  WideFloats most{};
  for (size_t first = 0; first < n; first += kFloats) {
    const size_t bytes = sizeof(float) * std::min(kFloats, n - first);
    WideFloats then{}, emission{}, now{};
    WideInts origins{};
    std::memcpy(&then, before + first, bytes);
    std::memcpy(&emission, emissions + first, bytes);
    std::memcpy(&now, jumped + first, bytes);
    std::memcpy(&origins, back + first, bytes);
    now *= made * emission;
    then *= stay;
    const auto stays = then > now;
    now = stays ? then : now;
    origins = stays ? WideInts{} + stayed : origins;
    most = now > most ? now : most;
    std::memcpy(jumped + first, &now, bytes);
    std::memcpy(back + first, &origins, bytes);
  }
  float largest = 0;
  for (size_t k = 0; k < kFloats; ++k) largest = std::max(largest, most[k]);
  return largest;
}

}  // namespace tunesmith::align
