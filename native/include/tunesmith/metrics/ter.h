// Translation edit rate, TER (Snover et al. 2006), with Tercom's heuristics as implemented in sacrebleu.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/texts.h"

namespace tunesmith::metrics {

/// Writes [edits, reference words] per hypothesis: the fewest edits to any reference, and the mean reference
/// length. Edits are insertions, deletions, substitutions and block shifts, found greedily: the shift that
/// lowers the edit distance most, until none does or 1,000 were tried.
void ter_stats(const Texts& hypotheses, std::span<const int64_t> lists, const std::vector<Texts>& references,
               int threads, std::span<double> out);

}  // namespace tunesmith::metrics
