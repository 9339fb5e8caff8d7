// Inner loops of the alignment HMM: sums over all jumps between the positions of a sentence.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tunesmith::align {

/// Number of floats that kernels may read beyond the weights of the widest jump.
constexpr size_t kJumpSlack = 32;

/// to[i] += sum_r from[r] * s(i - r), added in the order of r, for n positions. `weights` points to s(0);
/// s(-n + 1) to s(n - 1 + kJumpSlack) must be readable. O(n^2), in registers.
void add_jumps(const float* from, const float* weights, float* to, size_t n);

/// best[i] = max(best[i], max_r from[r] * s(i - r)); back[i] = the first r that attains it, unless best[i]
/// stays. Same arguments as add_jumps.
void best_jumps(const float* from, const float* weights, float* best, int32_t* back, size_t n);

}  // namespace tunesmith::align
