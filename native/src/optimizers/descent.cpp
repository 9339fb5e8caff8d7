#include "tunesmith/optimizers/descent.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/parallel.h"

namespace tunesmith::optimizers {

namespace {

/// Moves a weight towards zero: |w| <- max(scale * |w| - shift, 0).
double shrink(double weight, double scale, double shift) {
  const double size = scale * std::abs(weight) - shift;
  return size > 0 ? std::copysign(size, weight) : 0.0;
}

/// Skipped steps are the map |w| -> max(scale * |w| - shift, 0): a chain of such maps is one of them,
/// because a weight that has reached zero stays there.
struct Shrinkage {
  double scale = 1;
  double shift = 0;
};

/// One learning rate for all weights, by step (SGD).
class Scheduled {
 public:
  Scheduled(const DescentSpace& space, std::span<const double> rates) : space_(space), rates_(rates) {
    log_scale_.push_back(0);
    shift_.push_back(0);
  }

  double rate(size_t, double, size_t step) const { return rates_[step]; }

  /// Composes the shrinkage of a step with all before; call after every step.
  void advance(size_t step) {
    const double scale = 1 / (1 + rates_[step] * space_.l2);
    log_scale_.push_back(log_scale_.back() + std::log(scale));
    shift_.push_back(scale * (shift_.back() + rates_[step] * space_.l1));
  }

  Shrinkage skipped(size_t, size_t from, size_t to) const {
    const double scale = std::exp(log_scale_[to] - log_scale_[from]);
    return {scale, shift_[to] - scale * shift_[from]};
  }

 private:
  const DescentSpace& space_;
  std::span<const double> rates_;
  std::vector<double> log_scale_;
  std::vector<double> shift_;
};

/// One learning rate per weight, constant while its feature does not fire (AdaGrad).
class Adaptive {
 public:
  Adaptive(const DescentSpace& space, std::span<const double> rates, std::vector<double>& squares)
      : space_(space), rates_(rates), squares_(squares) {}

  double rate(size_t column, double gradient, size_t step) {
    squares_[column] += gradient * gradient;
    return current(column, step);
  }

  void advance(size_t) {}

  Shrinkage skipped(size_t column, size_t from, size_t to) const {
    const double rate = current(column, from), steps = static_cast<double>(to - from);
    if (space_.l2 == 0) return {1, steps * rate * space_.l1};
    // shift = rate * l1 * (a + a^2 + ... + a^steps) with a = 1 / (1 + rate * l2)
    const double log_scale = -steps * std::log1p(rate * space_.l2);
    return {std::exp(log_scale), space_.l1 / space_.l2 * -std::expm1(log_scale)};
  }

 private:
  double current(size_t column, size_t step) const {
    return squares_[column] > 0 ? rates_[step] / std::sqrt(squares_[column]) : 0;
  }

  const DescentSpace& space_;
  std::span<const double> rates_;
  std::vector<double>& squares_;
};

/// `Update` is the learning-rate schedule: Scheduled or Adaptive.
template <class Update>
class Descent {
 public:
  Descent(const candidates::CandidateLists& lists, const objectives::ListLoss& loss, const DescentPlan& plan,
          const DescentSpace& space, DescentState& state, Update rates)
      : lists_(lists),
        loss_(loss),
        plan_(plan),
        space_(space),
        state_(state),
        rates_(rates),
        gradient_(lists.features.width),
        fresh_(lists.features.width) {}

  void run() {
    const size_t steps = chunk_count(plan_.order.size(), plan_.batch);
    const size_t pause = steps_between_averages(steps);
    state_.average.assign(state_.weights.size(), 0.0);
    double averaged = 0;
    for (size_t step = 0; step < steps; ++step) {
      const size_t begin = step * plan_.batch, end = std::min(plan_.order.size(), begin + plan_.batch);
      add_batch(plan_.order.subspan(begin, end - begin), step);
      update(step);
      if ((step + 1) % pause != 0 && step + 1 != steps) continue;
      for (size_t column = 0; column < fresh_.size(); ++column) refresh(column, step + 1);
      for (size_t i = 0; i < state_.weights.size(); ++i) state_.average[i] += state_.weights[i];
      ++averaged;
    }
    for (double& value : state_.average) value /= std::max(averaged, 1.0);
  }

 private:
  /// Chosen so that touching every weight costs no more than the gradients in between.
  size_t steps_between_averages(size_t steps) const {
    const size_t nonzeros = std::max<size_t>(lists_.features.values.size(), 1);
    return std::max<size_t>(1, state_.weights.size() * steps / nonzeros);
  }

  /// Adds the gradient of the mean loss of some lists; brings the weights of their features up to date.
  void add_batch(std::span<const int64_t> batch, size_t step) {
    const Csr& features = lists_.features;
    const double scale = 1 / (static_cast<double>(batch.size()) * plan_.units);
    touched_.clear();
    for (int64_t list : batch)
      for (int64_t k = features.offsets[lists_.offsets[list]]; k < features.offsets[lists_.offsets[list + 1]];
           ++k)
        touch(features.columns[k], step);
    for (int64_t list : batch) {
      const size_t first = lists_.offsets[list], size = lists_.offsets[list + 1] - first;
      if (size == 0) continue;
      scores_.resize(size);
      slopes_.resize(size);
      for (size_t i = 0; i < size; ++i) scores_[i] = features.dot(first + i, state_.weights.data());
      loss_.at(list, first, scores_, slopes_);
      for (size_t i = 0; i < size; ++i)
        if (slopes_[i] != 0) features.add_to(first + i, scale * slopes_[i], gradient_.data());
    }
  }

  /// Records a column that fires in this step; fresh_ = step + 1 marks it until `update`.
  void touch(size_t column, size_t step) {
    if (fresh_[column] == step + 1) return;
    refresh(column, step);
    fresh_[column] = step + 1;
    touched_.push_back(column);
  }

  void update(size_t step) {
    for (size_t column : touched_) {
      const double gradient = gradient_[column];
      gradient_[column] = 0;
      if (!space_.free[column]) continue;
      const double rate = rates_.rate(column, gradient, step), scale = 1 / (1 + rate * space_.l2);
      const double moved = state_.weights[column] - rate * gradient;
      set(column, shrink(moved, scale, scale * rate * space_.l1));
    }
    rates_.advance(step);
  }

  /// Applies the shrinkage of the steps from fresh_[column] to `step`, in which the column did not fire.
  void refresh(size_t column, size_t step) {
    const size_t from = fresh_[column];
    fresh_[column] = step;
    if (from == step || !space_.free[column] || (space_.l1 == 0 && space_.l2 == 0)) return;
    const Shrinkage skipped = rates_.skipped(column, from, step);
    set(column, shrink(state_.weights[column], skipped.scale, skipped.shift));
  }

  void set(size_t column, double weight) {
    state_.weights[column] = std::clamp(weight, space_.lower[column], space_.upper[column]);
  }

  const candidates::CandidateLists& lists_;
  const objectives::ListLoss& loss_;
  const DescentPlan& plan_;
  const DescentSpace& space_;
  DescentState& state_;
  Update rates_;
  std::vector<double> gradient_;
  std::vector<size_t> fresh_;
  std::vector<size_t> touched_;
  std::vector<double> scores_, slopes_;
};

void check(const candidates::CandidateLists& lists, const DescentPlan& plan, const DescentSpace& space,
           const DescentState& state) {
  const size_t width = lists.features.width;
  for (size_t size : {space.lower.size(), space.upper.size(), space.free.size(), state.weights.size()})
    if (size != width)
      throw InputError("an array of " + std::to_string(size) + " values for " + std::to_string(width) +
                       " weights");
  if (!state.squares.empty() && state.squares.size() != width)
    throw InputError(std::to_string(state.squares.size()) + " squared gradients for " +
                     std::to_string(width) + " weights");
  if (plan.batch == 0) throw InputError("a batch needs at least one list");
  if (plan.rates.size() != chunk_count(plan.order.size(), plan.batch))
    throw InputError(std::to_string(plan.rates.size()) + " rates for " +
                     std::to_string(chunk_count(plan.order.size(), plan.batch)) + " batches");
  if (!state.squares.empty() &&
      std::adjacent_find(plan.rates.begin(), plan.rates.end(), std::not_equal_to<>()) != plan.rates.end())
    throw InputError("with squared gradients the rate must be the same for all batches");
  for (int64_t list : plan.order)
    if (list < 0 || static_cast<size_t>(list) >= lists.size())
      throw InputError("list " + std::to_string(list) + " is outside 0.." + std::to_string(lists.size()));
}

}  // namespace

void descend(const candidates::CandidateLists& lists, const objectives::ListLoss& loss,
             const DescentPlan& plan, const DescentSpace& space, DescentState& state) {
  check(lists, plan, space, state);
  if (state.squares.empty())
    Descent(lists, loss, plan, space, state, Scheduled(space, plan.rates)).run();
  else
    Descent(lists, loss, plan, space, state, Adaptive(space, plan.rates, state.squares)).run();
}

}  // namespace tunesmith::optimizers
