// Pairwise ranking: sampling of candidate pairs, and their logistic loss (PRO).
#pragma once

#include <vector>

#include "tunesmith/objectives/list_loss.h"

namespace tunesmith::objectives {

/// Pairs of list g are [offsets[g], offsets[g + 1]), each the rows of the better and the worse candidate.
struct Pairs {
  std::vector<int64_t> offsets;
  std::vector<int64_t> better;
  std::vector<int64_t> worse;
};

struct PairSampling {
  size_t samples = 5000;
  size_t kept = 50;
  double difference = 0.05;
  uint64_t seed = 1;
};

/// Draws pairs as Hopkins and May (2011): from each list `samples` pairs with replacement; of those whose
/// gains differ by at least `difference`, the `kept` with the largest difference (of equal ones the first
/// drawn). Each list has its own random stream. O(lists * samples).
Pairs sample_pairs(std::span<const int64_t> lists, std::span<const double> gains,
                   const PairSampling& sampling, int threads);

/// loss = sum over pairs of log(1 + exp(-(s_better - s_worse))). O(N + pairs) per list.
class PairwiseLogistic : public ListLoss {
 public:
  PairwiseLogistic(std::span<const int64_t> offsets, std::span<const int64_t> better,
                   std::span<const int64_t> worse)
      : offsets_(offsets), better_(better), worse_(worse) {}

  void check(std::span<const int64_t> lists) const override;
  double at(size_t list, size_t first, std::span<const double> scores,
            std::span<double> slopes) const override;

 private:
  std::span<const int64_t> offsets_;
  std::span<const int64_t> better_;
  std::span<const int64_t> worse_;
};

}  // namespace tunesmith::objectives
