// Scorers: metrics as functions of summed statistics, as learners use them.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "tunesmith/metrics/chrf.h"

namespace tunesmith::metrics {

/// Maps statistics vectors to gains (metric scores with the sign chosen so that higher is better).
class Scorer {
 public:
  virtual ~Scorer() = default;
  virtual size_t width() const = 0;

  /// Writes the gain of each of `rows` consecutive statistics vectors.
  virtual void gain(const double* stats, size_t rows, double* out) const = 0;

  /// The size of a statistics vector in units of text (for BLEU, the reference length). Online learners
  /// compare gain * size.
  virtual double size(const double* stats) const = 0;

  double gain(const double* stats) const {
    double out;
    gain(stats, 1, &out);
    return out;
  }
};

/// How BLEU treats orders that have n-grams but no match: not at all; replace the match count by `value`;
/// replace it by 1/2, 1/4, ... (halved with each such order); or add `value` to the matches and totals of all
/// orders but the first.
enum class BleuSmoothing { none, floor, exponential, add };

/// BLEU of [match_1, total_1, ..., match_n, total_n, reference length]; 0 without any match. With
/// `effective_order`, the mean is over the orders before the first one without n-grams.
class BleuScorer : public Scorer {
 public:
  BleuScorer(size_t order, BleuSmoothing smoothing, double value, bool effective_order = false)
      : order_(order), smoothing_(smoothing), value_(value), effective_order_(effective_order) {}
  size_t width() const override { return 2 * order_ + 1; }
  void gain(const double* stats, size_t rows, double* out) const override;
  double size(const double* stats) const override { return stats[2 * order_]; }
  /// Writes the gradient d gain / d stats. It is 0 for the matches of a smoothed order, and 0 throughout if
  /// the gain is 0. At equal lengths of hypothesis and reference, the side with the brevity penalty is taken.
  void gradient(const double* stats, double* out) const;

 private:
  /// Value that smoothing adds to the matches and totals of order n + 1.
  double added(size_t n) const { return smoothing_ == BleuSmoothing::add && n > 0 ? value_ : 0.0; }
  size_t orders(const double* stats) const;

  size_t order_;
  BleuSmoothing smoothing_;
  double value_;
  bool effective_order_;
};

/// chrF of [hypothesis, reference, match] per order; the size is the number of reference characters.
class ChrfScorer : public Scorer {
 public:
  explicit ChrfScorer(const ChrfOptions& options) : options_(options) {}
  size_t width() const override { return 3 * options_.orders(); }
  void gain(const double* stats, size_t rows, double* out) const override;
  double size(const double* stats) const override { return stats[1]; }

 private:
  ChrfOptions options_;
};

/// sign * numerator / denominator of [numerator, denominator]: TER, WER, means.
class RatioScorer : public Scorer {
 public:
  explicit RatioScorer(double sign) : sign_(sign) {}
  size_t width() const override { return 2; }
  void gain(const double* stats, size_t rows, double* out) const override;
  double size(const double* stats) const override { return stats[1]; }

 private:
  double sign_;
};

/// constant + sum of weight * gain over scorers whose statistics are concatenated; the size is the mean of
/// their sizes, so that their order does not matter.
class SumScorer : public Scorer {
 public:
  struct Part {
    double weight;
    std::shared_ptr<const Scorer> scorer;
  };
  SumScorer(double constant, std::vector<Part> parts);
  size_t width() const override { return width_; }
  void gain(const double* stats, size_t rows, double* out) const override;
  double size(const double* stats) const override;

 private:
  double constant_;
  std::vector<Part> parts_;
  size_t width_ = 0;
};

/// Any other metric, as callbacks (usually into Python).
class CallbackScorer : public Scorer {
 public:
  using Gain = std::function<void(const double* stats, size_t rows, double* out)>;
  using Size = std::function<double(const double* stats)>;
  CallbackScorer(size_t width, Gain gain, Size size)
      : width_(width), gain_(std::move(gain)), size_(std::move(size)) {}
  size_t width() const override { return width_; }
  void gain(const double* stats, size_t rows, double* out) const override { gain_(stats, rows, out); }
  double size(const double* stats) const override { return size_(stats); }

 private:
  size_t width_;
  Gain gain_;
  Size size_;
};

}  // namespace tunesmith::metrics
