// chrF and chrF++ statistics (Popovic 2015, 2017): [hypothesis, reference, match] n-gram counts per character
// order, then per word order.
#pragma once

#include <span>
#include <vector>

#include "tunesmith/base/texts.h"

namespace tunesmith::metrics {

struct ChrfOptions {
  size_t char_order = 6;
  size_t word_order = 0;
  double beta = 2;
  bool whitespace = false;     // whether white space counts as characters
  bool eps_smoothing = false;  // mean of the orders' F scores, not the F score of mean precision and recall

  size_t orders() const { return char_order + word_order; }
};

/// The F score of 3 * orders statistics, from 0 to 1.
double chrf_score(const double* stats, const ChrfOptions& options);

/// Writes 3 * orders statistics per hypothesis, against the reference with the best F score (the first of
/// several). O((characters + words) * order) per hypothesis and reference.
void chrf_stats(const Texts& hypotheses, std::span<const int64_t> lists, const std::vector<Texts>& references,
                const ChrfOptions& options, int threads, std::span<double> out);

}  // namespace tunesmith::metrics
