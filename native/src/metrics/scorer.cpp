#include "tunesmith/metrics/scorer.h"

#include <algorithm>
#include <cmath>

#include "tunesmith/base/errors.h"

namespace tunesmith::metrics {

/// The number of orders in the mean.
size_t BleuScorer::orders(const double* stats) const {
  if (!effective_order_) return order_;
  size_t n = 0;
  while (n < order_ && !(stats[2 * n + 1] + added(n) <= 0)) ++n;
  return std::max<size_t>(n, 1);
}

void BleuScorer::gain(const double* stats, size_t rows, double* out) const {
  // BLEU = min(1, exp(1 - r / c)) * (prod_n match_n / total_n) ^ (1 / N)
  for (size_t row = 0; row < rows; ++row, stats += width()) {
    double matches = 1, totals = 1, half = 1;
    bool found = false;
    const size_t orders = this->orders(stats);
    for (size_t n = 0; n < orders; ++n) {
      double match = stats[2 * n], total = stats[2 * n + 1];
      found |= !(match <= 0);  // so that NaN propagates
      match += added(n), total += added(n);
      if (match <= 0 && total > 0) {
        if (smoothing_ == BleuSmoothing::exponential) match = half /= 2;
        if (smoothing_ == BleuSmoothing::floor) match = value_;
      }
      matches *= match;
      totals *= total;
    }
    if (!found || matches <= 0 || totals <= 0) {
      out[row] = 0;
      continue;
    }
    const double hypothesis = stats[1], reference = stats[2 * order_];
    double log_bleu = std::log(matches / totals) / static_cast<double>(orders);
    if (!(hypothesis >= reference)) log_bleu += 1 - reference / hypothesis;
    out[row] = std::exp(log_bleu);
  }
}

void BleuScorer::gradient(const double* stats, double* out) const {
  // d log BLEU / d match_n = 1 / (N match_n), / d total_n = -1 / (N total_n); if c <= r, r / c^2 by c, -1 / c
  // by r
  std::fill(out, out + width(), 0.0);
  double score = 0;
  gain(stats, 1, &score);
  if (score == 0) return;
  const size_t count = orders(stats);
  const auto divisor = static_cast<double>(count);
  for (size_t n = 0; n < count; ++n) {
    const double match = stats[2 * n] + added(n);
    if (match > 0) out[2 * n] = score / (divisor * match);
    out[2 * n + 1] = -score / (divisor * (stats[2 * n + 1] + added(n)));
  }
  const double hypothesis = stats[1], reference = stats[2 * order_];
  if (hypothesis > reference) return;
  out[1] += score * reference / (hypothesis * hypothesis);
  out[2 * order_] = -score / hypothesis;
}

void ChrfScorer::gain(const double* stats, size_t rows, double* out) const {
  for (size_t row = 0; row < rows; ++row, stats += width()) out[row] = chrf_score(stats, options_);
}

SumScorer::SumScorer(double constant, std::vector<Part> parts)
    : constant_(constant), parts_(std::move(parts)) {
  if (parts_.empty()) throw InputError("a sum of metrics needs at least one");
  for (const Part& part : parts_) width_ += part.scorer->width();
}

void SumScorer::gain(const double* stats, size_t rows, double* out) const {
  std::fill(out, out + rows, constant_);
  std::vector<double> part_stats, gains(rows);
  for (size_t begin = 0; const auto& [weight, scorer] : parts_) {
    const size_t part_width = scorer->width();
    part_stats.resize(rows * part_width);
    for (size_t row = 0; row < rows; ++row)
      std::copy_n(stats + row * width_ + begin, part_width, part_stats.data() + row * part_width);
    scorer->gain(part_stats.data(), rows, gains.data());
    for (size_t row = 0; row < rows; ++row) out[row] += weight * gains[row];
    begin += part_width;
  }
}

double SumScorer::size(const double* stats) const {
  double sum = 0;
  for (const auto& [weight, scorer] : parts_) {
    sum += scorer->size(stats);
    stats += scorer->width();
  }
  return sum / static_cast<double>(parts_.size());
}

void RatioScorer::gain(const double* stats, size_t rows, double* out) const {
  for (size_t row = 0; row < rows; ++row, stats += 2) {
    // No reference text: no errors (0), or everything is an insertion (1).
    if (stats[1] == 0)
      out[row] = stats[0] > 0 ? sign_ : 0;
    else
      out[row] = sign_ * stats[0] / stats[1];
  }
}

}  // namespace tunesmith::metrics
