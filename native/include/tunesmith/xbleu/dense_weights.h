// The decoder's own weights, learned beside those of a reordering model.
#pragma once

#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tunesmith/base/errors.h"
#include "tunesmith/xbleu/list_posteriors.h"

namespace tunesmith::xbleu {

struct DenseOptions {
  std::vector<double> rates;  // step per list of each weight; 0: it stays
  double decay = 0;           // share of their changes that weights lose in a step: a penalty on changes
  bool adagrad = false;
  bool average = false;
};

/// Changes of weights since the lists were made: score(e) = base(e) + sum over k of change_k h_k(e) + ...,
///   change_k <- (1 - decay) change_k + rate_k * gradient_k.
/// A step is O(weights): there are some twenty, which all lists share.
class DenseWeights {
 public:
  DenseWeights() = default;
  explicit DenseWeights(DenseOptions options)
      : options_(std::move(options)),
        changes_(options_.rates.size()),
        gradient_(options_.rates.size()),
        squares_(options_.adagrad ? options_.rates.size() : 0) {}

  size_t size() const { return changes_.size(); }
  bool empty() const { return changes_.empty(); }
  std::span<double> changes() { return changes_; }
  std::span<const double> changes() const { return changes_; }
  std::span<const double> rates() const { return options_.rates; }
  std::span<const double> squares() const { return squares_; }
  void set_state(std::vector<double> changes, std::vector<double> squares) {
    if (changes.size() != changes_.size() || squares.size() != squares_.size())
      throw InputError("the state has " + std::to_string(changes.size()) +
                       " changes of decoder weights and " + std::to_string(squares.size()) +
                       " sums of squares; expected " + std::to_string(changes_.size()) + " and " +
                       std::to_string(squares_.size()));
    changes_ = std::move(changes);
    squares_ = std::move(squares);
  }

  void begin_average() {
    sums_.assign(options_.average ? size() : 0, 0);
    steps_ = 0;
  }
  /// The mean over the steps since `begin_average`, or the current changes if there is none.
  std::vector<double> averages() const {
    std::vector<double> result(changes_);
    if (sums_.empty() || steps_ == 0) return result;
    for (size_t k = 0; k < size(); ++k) result[k] = sums_[k] / static_cast<double>(steps_);
    return result;
  }

  /// Adds the gradient of a list to that of the step, after `differentiate`.
  template <class Number>
  void collect(const TrainingList<Number>& list, const ListPosteriors& posteriors) {
    posteriors.for_each_dense(list, [&](uint16_t column, double slope) { gradient_[column] += slope; });
  }
  /// One step along the mean gradient of a number of lists.
  void apply(size_t lists) {
    for (size_t k = 0; k < size(); ++k) {
      double slope = std::exchange(gradient_[k], 0) / static_cast<double>(lists);
      if (options_.adagrad && slope != 0) {
        squares_[k] += slope * slope;
        slope /= std::sqrt(squares_[k]);
      }
      changes_[k] += options_.rates[k] * slope - options_.decay * changes_[k];
    }
    for (size_t k = 0; k < sums_.size(); ++k) sums_[k] += changes_[k];
    ++steps_;
  }

 private:
  DenseOptions options_;
  std::vector<double> changes_, gradient_, squares_;
  std::vector<double> sums_;  // of changes over steps, if averaging
  uint64_t steps_ = 0;
};

}  // namespace tunesmith::xbleu
