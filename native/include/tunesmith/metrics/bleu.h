// BLEU statistics (Papineni et al. 2002): [match_1, total_1, ..., match_n, total_n, reference length].
#pragma once

#include <span>
#include <vector>

#include "tunesmith/base/texts.h"

namespace tunesmith::metrics {

enum class ReferenceLength { closest, shortest, average };

struct BleuOptions {
  size_t order = 4;
  ReferenceLength reference_length = ReferenceLength::closest;
};

/// Writes 2 * order + 1 statistics per hypothesis. Hypotheses [lists[g], lists[g + 1]) are compared with text
/// g of every reference. O(words * order) per hypothesis: the reference n-grams are counted once per list, in
/// a hash table.
void bleu_stats(const Texts& hypotheses, std::span<const int64_t> lists, const std::vector<Texts>& references,
                const BleuOptions& options, int threads, std::span<double> out);

}  // namespace tunesmith::metrics
