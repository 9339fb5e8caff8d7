// From summed statistics to a gain: what learners maximize, whatever the metric.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "tunesmith/metrics/chrf.h"

namespace tunesmith::metrics {

/// Maps statistics vectors to gains (scores turned so that more is better).
class Scorer {
 public:
  virtual ~Scorer() = default;
  virtual size_t width() const = 0;

  /// Writes the gain of each of `rows` statistics vectors that lie one after another.
  virtual void gain(const double* stats, size_t rows, double* out) const = 0;

  /// The weight of a statistics vector in units of text (the reference length for BLEU); a gain
  /// times the size is what online learners compare.
  virtual double size(const double* stats) const = 0;

  double gain(const double* stats) const {
    double out;
    gain(stats, 1, &out);
    return out;
  }
};

/// What BLEU does with an order that has n-grams but no match: nothing, put `value` in place of the
/// match count, put 1/2, 1/4, ... there (a half more for each such order), or add `value` to the
/// matches and totals of all orders but the first.
enum class BleuSmoothing { none, floor, exponential, add };

/// BLEU over [match_1, total_1, ..., match_n, total_n, reference length]; 0 without any match.
class BleuScorer : public Scorer {
 public:
  BleuScorer(size_t order, BleuSmoothing smoothing, double value)
      : order_(order), smoothing_(smoothing), value_(value) {}
  size_t width() const override { return 2 * order_ + 1; }
  void gain(const double* stats, size_t rows, double* out) const override;
  double size(const double* stats) const override { return stats[2 * order_]; }
  /// Writes d gain / d stats. An order that smoothing filled has no slope in its matches, a gain of 0 none at
  /// all; where hypothesis and reference are equally long, the side with the brevity penalty is taken.
  void gradient(const double* stats, double* out) const;

 private:
  size_t order_;
  BleuSmoothing smoothing_;
  double value_;
};

/// chrF over [hypothesis, reference, match] an order; the size is the reference's characters.
class ChrfScorer : public Scorer {
 public:
  explicit ChrfScorer(const ChrfOptions& options) : options_(options) {}
  size_t width() const override { return 3 * options_.orders(); }
  void gain(const double* stats, size_t rows, double* out) const override;
  double size(const double* stats) const override { return stats[1]; }

 private:
  ChrfOptions options_;
};

/// sign * numerator / denominator over [numerator, denominator]: TER, WER, means.
class RatioScorer : public Scorer {
 public:
  explicit RatioScorer(double sign) : sign_(sign) {}
  size_t width() const override { return 2; }
  void gain(const double* stats, size_t rows, double* out) const override;
  double size(const double* stats) const override { return stats[1]; }

 private:
  double sign_;
};

/// constant + sum of weight * gain over scorers whose statistics lie side by side; the size is the
/// mean of theirs, so that their order does not matter.
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

/// Any other metric, through a function (a Python one, mostly).
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
