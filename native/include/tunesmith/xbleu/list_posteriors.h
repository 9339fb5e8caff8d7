// Posteriors of the candidates of a compiled list, and what they say about its events.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

#include "tunesmith/xbleu/training_set.h"

namespace tunesmith::xbleu {

/// What is maximized: the expected gain, sum over e of p(e) g(e), or the log-likelihood of the candidate with
/// the largest gain, log p(e*), which is 0 for a list whose gains are all the same.
enum class ListObjective : uint8_t { kExpectedGain, kLikelihood };

/// exp(x) for x <= 0, to 1e-12 of its value; 0 stands for less than exp(-700). Without branches and calls, so
/// that loops over it are vectorized: 2^n from the exponent's bits, times a polynomial.
inline double exp_of_negative(double x) {
  constexpr double kLog2e = 1.4426950408889634, kShift = 0x1.8p52;
  constexpr double kLn2High = 0x1.62e42fee00000p-1, kLn2Low = 0x1.a39ef35793c76p-33;
  const double clipped = x < -700 ? -700 : x;
  const double shifted = clipped * kLog2e + kShift;  // its low bits are the nearest integer
  const double n = shifted - kShift;
  const double r = (clipped - n * kLn2High) - n * kLn2Low;
  double p = 1.0 / 39916800;  // Taylor's series: |r| <= log(2) / 2
  p = p * r + 1.0 / 3628800;
  p = p * r + 1.0 / 362880;
  p = p * r + 1.0 / 40320;
  p = p * r + 1.0 / 5040;
  p = p * r + 1.0 / 720;
  p = p * r + 1.0 / 120;
  p = p * r + 1.0 / 24;
  p = p * r + 1.0 / 6;
  p = p * r + 1.0 / 2;
  p = p * r + 1.0;
  p = p * r + 1.0;
  return std::bit_cast<double>(std::bit_cast<uint64_t>(p) + (std::bit_cast<uint64_t>(shifted) << 52));
}

/// Sum of values[indices[i]] in four lanes, which hide the latency of additions.
template <class Index, class Values>
inline double gathered_sum(const Values& values, const Index* indices, size_t count) {
  double lanes[4] = {};
  size_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (size_t lane = 0; lane < 4; ++lane) lanes[lane] += static_cast<double>(values[indices[i + lane]]);
  for (; i < count; ++i) lanes[0] += static_cast<double>(values[indices[i]]);
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

/// Computes on one list at a time. Memory is reused.
class ListPosteriors {
 public:
  explicit ListPosteriors(size_t widest) : scores_(widest), posteriors_(widest), slopes_(widest) {}

  /// Scores under weights of `scale` * values: base + sum over events of their weights.
  /// `values` are a pointer, or anything else that gives a weight by its number. O(features + uses).
  template <class Number, class Values>
  void score(const TrainingList<Number>& list, const Values& values, double scale) {
    for (size_t e = 0; e < list.size(); ++e) scores_[e] = static_cast<double>(list.base[e]);
    const uint16_t* use = list.uses;
    const Number* feature = list.features;
    for (size_t event = 0; event < list.events(); ++event) {
      const size_t features = list.feature_counts[event], uses = list.use_counts[event];
      const double sum = scale * gathered_sum(values, feature, features);
      const double signed_sum = event < list.negatives ? sum : -sum;
      for (size_t i = 0; i < uses; ++i) scores_[use[i]] += signed_sum;
      feature += features;
      use += uses;
    }
  }

  /// Adds sum over k of change_k h_k(e), over the dense features, after `score`. O(features x candidates).
  template <class Number, class Values>
  void add_dense(const TrainingList<Number>& list, const Values& changes) {
    for (size_t i = 0; i < list.dense_columns.size(); ++i) {
      const double change = changes[list.dense_columns[i]];
      const float* const values = list.dense + i * list.size();
      for (size_t e = 0; e < list.size(); ++e) scores_[e] += change * static_cast<double>(values[e]);
    }
  }

  /// p(e) = exp(gamma * score(e)) / Z, after `score`. Returns log Z - gamma * (largest score).
  double normalize(size_t size, double gamma) {
    double largest = scores_[0];
    for (size_t e = 1; e < size; ++e) largest = scores_[e] > largest ? scores_[e] : largest;
    for (size_t e = 0; e < size; ++e) posteriors_[e] = exp_of_negative(gamma * (scores_[e] - largest));
    double lanes[2] = {};
    size_t e = 0;
    for (; e + 2 <= size; e += 2) {
      lanes[0] += posteriors_[e];
      lanes[1] += posteriors_[e + 1];
    }
    for (; e < size; ++e) lanes[0] += posteriors_[e];
    const double sum = lanes[0] + lanes[1], share = 1 / sum;
    for (e = 0; e < size; ++e) posteriors_[e] *= share;
    largest_ = largest;
    return std::log(sum);
  }

  /// log p(e) of a candidate, with what `normalize` returned.
  double log_posterior(size_t e, double gamma, double log_sum) const {
    return gamma * (scores_[e] - largest_) - log_sum;
  }

  /// Sum over e of p(e) g(e).
  template <class Number>
  double expected_gain(const TrainingList<Number>& list) const {
    double lanes[2] = {};
    size_t e = 0;
    for (; e + 2 <= list.size(); e += 2) {
      lanes[0] += posteriors_[e] * static_cast<double>(list.gains[e]);
      lanes[1] += posteriors_[e + 1] * static_cast<double>(list.gains[e + 1]);
    }
    for (; e < list.size(); ++e) lanes[0] += posteriors_[e] * static_cast<double>(list.gains[e]);
    return lanes[0] + lanes[1];
  }

  /// The value of an objective and its derivatives by the scores of candidates, after `score`:
  /// gamma * p(e) * (g(e) - expected gain), or gamma * ((e is best) - p(e)).
  template <class Number>
  double differentiate(const TrainingList<Number>& list, ListObjective objective, double gamma) {
    const double log_sum = normalize(list.size(), gamma);
    if (objective == ListObjective::kExpectedGain) {
      const double expected = expected_gain(list);
      for (size_t e = 0; e < list.size(); ++e)
        slopes_[e] = gamma * posteriors_[e] * (static_cast<double>(list.gains[e]) - expected);
      return expected;
    }
    const bool is_even = list.is_even();
    for (size_t e = 0; e < list.size(); ++e) slopes_[e] = is_even ? 0 : -gamma * posteriors_[e];
    if (is_even) return 0;
    slopes_[list.best] += gamma;
    return log_posterior(list.best, gamma, log_sum);
  }

  /// Calls use(slope, features, count) for each event, where slope is the derivative of the objective by the
  /// event's score, gamma * sum over e of p(e) (g(e) - expected gain) N(event, e), after `differentiate`.
  /// That of what all candidates use is 0, so that signs and what is left out do not matter.
  template <class Number, class Use>
  void for_each_event(const TrainingList<Number>& list, Use use) const {
    const uint16_t* user = list.uses;
    const Number* feature = list.features;
    for (size_t event = 0; event < list.events(); ++event) {
      const size_t features = list.feature_counts[event], uses = list.use_counts[event];
      const double sum = gathered_sum(slopes_.data(), user, uses);
      use(event < list.negatives ? sum : -sum, feature, features);
      feature += features;
      user += uses;
    }
  }

  /// Calls use(column, slope) for each dense feature that varies, where slope is the derivative of the
  /// objective by its weight, gamma * sum over e of p(e) (g(e) - expected gain) h(e), after `differentiate`.
  template <class Number, class Use>
  void for_each_dense(const TrainingList<Number>& list, Use use) const {
    for (size_t i = 0; i < list.dense_columns.size(); ++i) {
      const float* const values = list.dense + i * list.size();
      double lanes[4] = {};
      size_t e = 0;
      for (; e + 4 <= list.size(); e += 4)
        for (size_t lane = 0; lane < 4; ++lane)
          lanes[lane] += slopes_[e + lane] * static_cast<double>(values[e + lane]);
      for (; e < list.size(); ++e) lanes[0] += slopes_[e] * static_cast<double>(values[e]);
      use(list.dense_columns[i], (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]));
    }
  }

  const std::vector<double>& scores() const { return scores_; }
  const std::vector<double>& posteriors() const { return posteriors_; }

 private:
  std::vector<double> scores_, posteriors_, slopes_;
  double largest_ = 0;
};

}  // namespace tunesmith::xbleu
