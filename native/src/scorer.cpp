#include "tunesmith/scorer.h"

#include <cmath>

namespace tunesmith {

void BleuScorer::gain(const double* stats, size_t rows, double* out) const {
  // BLEU = min(1, exp(1 - r / c)) * (prod_n match_n / total_n) ^ (1 / N), and 0 if any match is 0.
  for (size_t row = 0; row < rows; ++row, stats += width()) {
    double matches = 1, totals = 1;
    for (size_t n = 0; n < order_; ++n) {
      matches *= stats[2 * n];
      totals *= stats[2 * n + 1];
    }
    if (!(matches > 0) || !(totals > 0)) {
      out[row] = 0;
      continue;
    }
    const double hypothesis = stats[1], reference = stats[2 * order_];
    double log_bleu = std::log(matches / totals) / static_cast<double>(order_);
    if (hypothesis < reference) log_bleu += 1 - reference / hypothesis;
    out[row] = std::exp(log_bleu);
  }
}

void RatioScorer::gain(const double* stats, size_t rows, double* out) const {
  for (size_t row = 0; row < rows; ++row, stats += 2) {
    // No reference text: nothing to find (0), or everything found is superfluous (1).
    if (stats[1] > 0)
      out[row] = sign_ * stats[0] / stats[1];
    else
      out[row] = stats[0] > 0 ? sign_ : 0;
  }
}

}  // namespace tunesmith
