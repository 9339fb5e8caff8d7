// Inner loops of the alignment HMM: sums over all jumps between the positions of a sentence.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tunesmith/align/jump_widths.h"

namespace tunesmith::align {

/// Number of floats that kernels may read beyond the weights of the widest jump.
constexpr size_t kJumpSlack = 32;

/// to[i] += sum_r from[r] * s(i - r), added in the order of r, for n positions. `weights` points to s(0);
/// s(-n + 1) to s(n - 1 + kJumpSlack) must be readable. O(n^2), in registers.
void add_jumps(const float* from, const float* weights, float* to, size_t n);

/// best[i] = max(best[i], max_r from[r] * s(i - r)) with the widths forward; back[i] = the first r that
/// attains it, unless best[i] stays. n is at most kLongestHmm. Positions whose best jump is less than the
/// worst one from the likeliest position are skipped: O(n) for each of the others.
void best_jumps(const float* from, const JumpWidths& widths, float* best, int32_t* back, size_t n);

/// One step of the Viterbi algorithm after its jumps: jumped[i] * (made * emissions[i]), or stay * before[i]
/// if that is more; then back[i] becomes `stayed`. The result is in `jumped`; returns its maximum.
float stay_or_jump(const float* before, float stay, int32_t stayed, const float* emissions, float made,
                   float* jumped, int32_t* back, size_t n);

}  // namespace tunesmith::align
