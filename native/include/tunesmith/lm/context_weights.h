// Discounted probabilities and interpolation weights of contexts (back-off weights).
#pragma once

#include <vector>

#include "tunesmith/base/external_sort.h"
#include "tunesmith/lm/discounts.h"
#include "tunesmith/lm/records.h"

namespace tunesmith::lm {

/// Normalizer of a context c and its weight of shorter contexts, with adjusted counts a and discounts D:
///   total = sum of a(c w) over all w,
///   weight = (sum of D(a(c w)) over kept w + sum of a(c w) over pruned w) / total.
struct ContextSums {
  uint64_t total = 0;
  uint64_t pruned = 0;
  std::array<uint64_t, 4> kept_of_count{};

  void add(uint64_t adjusted_count, bool is_pruned) {
    total += adjusted_count;
    if (is_pruned)
      pruned += adjusted_count;
    else
      ++kept_of_count[std::min<uint64_t>(adjusted_count, 3)];
  }
  double weight(const Discounts& discounts) const {
    double sum = static_cast<double>(pruned);
    for (int j = 1; j <= 3; ++j) sum += discounts.amount[j] * static_cast<double>(kept_of_count[j]);
    return sum / static_cast<double>(total);
  }
  /// Discounted probability of a kept n-gram: (a - D(a)) / total.
  double own(uint64_t adjusted_count, const Discounts& discounts) const {
    return (static_cast<double>(adjusted_count) - discounts.of(adjusted_count)) / static_cast<double>(total);
  }
};

/// For an order n >= 2: reads the n-grams context by context, adds the kept ones to `weighted`, and the
/// weight of each context to `backoffs`. The caller finishes both.
template <int Parts>
void weigh_contexts(const ExternalSort<AdjustedNgram<Parts>>& by_context, const KeyLayout<Parts>& layout,
                    int n, const Discounts& discounts, ExternalSort<WeightedNgram<Parts>>& weighted,
                    Spool<ValuedNgram<Parts>>& backoffs) {
  auto reader = by_context.read();
  std::vector<AdjustedNgram<Parts>> followers;
  AdjustedNgram<Parts> ngram;
  for (bool more = reader.next(ngram); more;) {
    const NgramKey<Parts> context = layout.prefix(ngram.key, n - 1);
    ContextSums sums;
    followers.clear();
    do {
      sums.add(ngram.count, ngram.pruned);
      if (!ngram.pruned) followers.push_back(ngram);
      more = reader.next(ngram);
    } while (more && layout.prefix(ngram.key, n - 1) == context);

    const double weight = sums.weight(discounts);
    backoffs.add({context, weight});
    for (const auto& follower : followers)
      weighted.add({layout.to_suffix_order(follower.key, n),
                    static_cast<float>(sums.own(follower.count, discounts)), static_cast<float>(weight)});
  }
}

}  // namespace tunesmith::lm
