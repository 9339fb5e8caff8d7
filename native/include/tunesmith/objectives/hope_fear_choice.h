// The choice of hope and fear among the candidates of one sentence (Chiang 2012; Cherry and Foster 2012).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/matrix.h"
#include "tunesmith/metrics/scorer.h"

namespace tunesmith::objectives {

/// B of candidates in a pseudo-document: B(e) = gain(background + stats_e) * size. The size is that of
/// background + stats_e by the metric (kbmira: the reference length), or the given number of source words of
/// document and sentence (Chiang et al. 2008). O(rows * width).
class DocumentGains {
 public:
  /// Computes B of the rows [begin, end) of the statistics; `source_words` < 0: the size is the metric's.
  std::span<const double> of(const MatrixView& stats, int64_t begin, int64_t end,
                             const metrics::Scorer& scorer, std::span<const double> background,
                             double source_words = -1);
  /// Moves out what `of` computed.
  std::vector<double> take() { return std::move(gains_); }

 private:
  std::vector<double> sums_, gains_;
};

/// Positions in a list of candidates.
struct HopeFearChoice {
  size_t hope = 0;  // argmax score + B
  size_t fear = 0;  // argmax score - B
  size_t best = 0;  // argmax score
  /// B(hope) - B(fear) - (score(hope) - score(fear)).
  double loss = 0;
  /// Whether to update: B(hope) > B(fear) and loss > 0.
  bool violated = false;
};

/// Chooses from at least one candidate; of equal ones the first.
HopeFearChoice choose_hope_fear(std::span<const double> scores, std::span<const double> gains);

}  // namespace tunesmith::objectives
