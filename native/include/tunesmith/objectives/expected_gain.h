// Expected gain and statistics under p(e) = exp(scale * score(e)) / Z of each list.
#pragma once

#include "tunesmith/objectives/list_loss.h"

namespace tunesmith::objectives {

/// loss = -sum_e p(e) gain(e), and d loss / d s_e = -scale * p(e) * (gain(e) - E[gain]). O(N) per list.
class ExpectedGain : public ListLoss {
 public:
  /// One gain per candidate, in the order of the rows.
  ExpectedGain(std::span<const double> gains, double scale) : gains_(gains), scale_(scale) {}

  void check(std::span<const int64_t> lists) const override;
  double at(size_t list, size_t first, std::span<const double> scores,
            std::span<double> slopes) const override;

 private:
  std::span<const double> gains_;
  double scale_;
};

/// out = sum over lists and candidates of p(e) * stats(e). O(nonzeros + candidates * statistics).
void expected_stats(const candidates::CandidateLists& lists, std::span<const double> weights, double scale,
                    const MatrixView& stats, int threads, std::span<double> out);

}  // namespace tunesmith::objectives
