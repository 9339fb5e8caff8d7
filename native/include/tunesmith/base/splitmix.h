// Random numbers in independent streams, one per list: a list's draws do not depend on other lists.
#pragma once

#include <cstdint>

namespace tunesmith {

/// SplitMix64 (Steele, Lea and Flood 2014): a scrambled counter; the same on every machine.
class SplitMix {
 public:
  SplitMix(uint64_t seed, uint64_t stream) : state_(scramble(seed + kGamma) ^ scramble(~stream * kGamma)) {}

  uint64_t next() { return scramble(state_ += kGamma); }

  /// Uniform strictly between 0 and 1, so that its logarithm is finite.
  double uniform() { return (static_cast<double>(next() >> 12) + 0.5) * 0x1p-52; }

  /// Uniform integer below `bound`; the bias is less than bound / 2^32.
  uint32_t below(uint32_t bound) { return static_cast<uint32_t>(((next() >> 32) * bound) >> 32); }

 private:
  static constexpr uint64_t kGamma = 0x9e3779b97f4a7c15ULL;

  static uint64_t scramble(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  uint64_t state_;
};

}  // namespace tunesmith
