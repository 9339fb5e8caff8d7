// chrF and chrF++ statistics (Popovic 2015, 2017): [hypothesis, reference, match] n-grams for each
// character order, then for each word order.
#pragma once

#include <span>
#include <vector>

#include "tunesmith/base/texts.h"

namespace tunesmith::metrics {

struct ChrfOptions {
  size_t char_order = 6;
  size_t word_order = 0;
  double beta = 2;
  bool whitespace = false;     // whether white space is a character like others
  bool eps_smoothing = false;  // mean of the orders' F scores instead of the F score of the means

  size_t orders() const { return char_order + word_order; }
};

/// The F score of 3 * orders statistics, 0 to 1.
double chrf_score(const double* stats, const ChrfOptions& options);

/// Writes 3 * orders statistics a hypothesis: those of the reference that gives the best F score,
/// the first of equal ones. O((characters + words) * order) for each reference.
void chrf_stats(const Texts& hypotheses, std::span<const int64_t> lists, const std::vector<Texts>& references,
                const ChrfOptions& options, int threads, std::span<double> out);

}  // namespace tunesmith::metrics
