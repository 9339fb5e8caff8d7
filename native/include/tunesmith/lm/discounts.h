// Discounts of modified Kneser-Ney smoothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace tunesmith::lm {

/// Discounts of adjusted counts 1, 2, and 3 or more; [0] is 0.
struct Discounts {
  std::array<double, 4> amount{};

  double of(uint64_t count) const { return amount[count < 3 ? count : 3]; }
};

/// Counts of the n-grams of one order.
struct OrderStatistics {
  uint64_t ngrams = 0;                 // all that occur; unigrams include <unk> and <s>
  uint64_t kept = 0;                   // not pruned
  std::array<uint64_t, 5> of_count{};  // number with adjusted count 1, 2, 3, 4, including pruned ones

  void add(uint64_t adjusted_count, bool pruned) {
    ++ngrams;
    kept += pruned ? 0 : 1;
    if (adjusted_count < of_count.size()) ++of_count[adjusted_count];
  }
};

/// Equation 26 of Chen and Goodman (1998): with t_j n-grams of adjusted count j and Y = t_1 / (t_1 + 2 t_2),
/// D_j = j - (j + 1) Y t_{j+1} / t_j. If the counts do not allow that, returns the fallback; without one,
/// throws an InputError that names the order.
Discounts kneser_ney_discounts(const OrderStatistics& statistics, int order,
                               const std::optional<Discounts>& fallback);

}  // namespace tunesmith::lm
