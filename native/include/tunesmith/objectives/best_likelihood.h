// Likelihood of the best candidates of each list.
#pragma once

#include "tunesmith/objectives/list_loss.h"

namespace tunesmith::objectives {

/// loss = log sum_e exp(s_e) - log sum_{e best} exp(s_e), where all candidates of the largest gain are best:
/// the model may choose among ties. O(N) per list.
class BestLikelihood : public ListLoss {
 public:
  explicit BestLikelihood(std::span<const double> gains) : gains_(gains) {}

  void check(std::span<const int64_t> lists) const override;
  double at(size_t list, size_t first, std::span<const double> scores,
            std::span<double> slopes) const override;

 private:
  std::span<const double> gains_;
};

}  // namespace tunesmith::objectives
