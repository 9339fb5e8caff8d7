// Plackett-Luce likelihood of the ranking of the best candidates.
#pragma once

#include "tunesmith/objectives/list_loss.h"

namespace tunesmith::objectives {

/// -log p(pi) = sum_{j <= k} [log sum_{t >= j} exp(s_pi(t)) - s_pi(j)], where the inner sum is over all
/// candidates not ranked before j (Plackett 1975). O(N + k) per list of N candidates.
class PlackettLuce : public ListLoss {
 public:
  /// The ranked candidates of list g are the rows ranked[offsets[g], offsets[g + 1]), best first.
  PlackettLuce(std::span<const int64_t> offsets, std::span<const int64_t> ranked)
      : offsets_(offsets), ranked_(ranked) {}

  void check(std::span<const int64_t> lists) const override;
  double at(size_t list, size_t first, std::span<const double> scores,
            std::span<double> slopes) const override;

 private:
  std::span<const int64_t> ranked(size_t list) const {
    return ranked_.subspan(offsets_[list], offsets_[list + 1] - offsets_[list]);
  }

  std::span<const int64_t> offsets_;
  std::span<const int64_t> ranked_;
};

}  // namespace tunesmith::objectives
