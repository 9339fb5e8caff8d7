// The discounts of modified Kneser-Ney smoothing.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

namespace tunesmith::lm {

/// What is subtracted from adjusted counts of 1, 2, and 3 or more; [0] is 0.
struct Discounts {
  std::array<double, 4> amount{};

  double of(uint64_t count) const { return amount[count < 3 ? count : 3]; }
};

/// What an estimator learns of the n-grams of one order.
struct OrderStatistics {
  uint64_t ngrams = 0;                 // all that occur, <unk> and <s> among the words
  uint64_t kept = 0;                   // those that are not pruned
  std::array<uint64_t, 5> of_count{};  // how many have the adjusted count 1, 2, 3, 4; pruned ones too

  void add(uint64_t adjusted_count, bool pruned) {
    ++ngrams;
    kept += pruned ? 0 : 1;
    if (adjusted_count < of_count.size()) ++of_count[adjusted_count];
  }
};

/// Equation 26 of Chen and Goodman (1998): with t_j n-grams of adjusted count j and Y = t_1 / (t_1 + 2 t_2),
/// D_j = j - (j + 1) Y t_{j+1} / t_j. Counts too few or too odd for that take the fallback; without one
/// they are an InputError that names the order.
Discounts kneser_ney_discounts(const OrderStatistics& statistics, int order,
                               const std::optional<Discounts>& fallback);

}  // namespace tunesmith::lm
