#include "tunesmith/xbleu/learner.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "tunesmith/base/errors.h"
#include "tunesmith/xbleu/hogwild.h"
#include "tunesmith/xbleu/list_order.h"
#include "tunesmith/xbleu/read_ahead.h"

namespace tunesmith::xbleu {

namespace {

constexpr double kSmallestScale = 1e-3;  // smaller ones are multiplied into the values, which are floats
constexpr size_t kListsPerPoll = 100;

template <class Set>
using PosteriorsOf =
    std::conditional_t<std::is_same_v<Set, TrainingSet>, ListPosteriors, EventForestPosteriors>;

/// Whether lists may have values of the decoder's features, whose weights are trained, too.
template <class Posteriors>
constexpr bool kHasDense = std::is_same_v<Posteriors, ListPosteriors>;

}  // namespace

Learner::Learner(const LearnerOptions& options, size_t features, DenseWeights dense)
    : options_(options), values_(features), dense_(std::move(dense)) {
  if (options_.batch == 0) throw InputError("a batch has 0 lists; expected at least 1");
  if (options_.rate * options_.l2 >= 1) throw InputError("rate times l2 must be below 1");
  if (options_.threads > 1 &&
      (options_.l2 != 0 || options_.batch > 1 || options_.adagrad || options_.average))
    throw InputError("several threads learn without l2, batches, AdaGrad and averages only");
  if (options_.adagrad) squares_.resize(features);
  if (options_.adagrad || options_.batch > 1) {
    gradient_.resize(features);
    is_touched_.resize(features);
  }
}

void Learner::set_state(std::vector<float> weights, std::vector<float> squares) {
  if (weights.size() != values_.size() || squares.size() != squares_.size())
    throw InputError("the state has " + std::to_string(weights.size()) + " weights and " +
                     std::to_string(squares.size()) + " sums of squares; expected " +
                     std::to_string(values_.size()) + " and " + std::to_string(squares_.size()));
  values_ = std::move(weights);
  squares_ = std::move(squares);
  scale_ = 1;
}

std::vector<float> Learner::weights() const {
  std::vector<float> result(values_);
  for (float& weight : result) weight = static_cast<float>(scale_ * static_cast<double>(weight));
  return result;
}

std::vector<float> Learner::averages() const {
  if (lags_.empty() || steps_ == 0) return weights();
  std::vector<float> result(values_.size());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = static_cast<float>((summed_scale_ * static_cast<double>(values_[i]) - lags_[i]) /
                                   static_cast<double>(steps_));
  return result;
}

void Learner::begin_average() {
  dense_.begin_average();
  if (!options_.average) return;
  lags_.assign(values_.size(), 0);
  summed_scale_ = 0;
  steps_ = 0;
}

void Learner::decay() {
  if (options_.l2 == 0) return;
  scale_ *= 1 - options_.rate * options_.l2;
  if (scale_ < kSmallestScale) settle();
}

void Learner::settle() {
  if (scale_ == 1) return;
  // The sums over the steps so far move into the lags: they no longer depend on the values.
  for (size_t i = 0; i < lags_.size(); ++i) lags_[i] -= summed_scale_ * static_cast<double>(values_[i]);
  for (float& value : values_) value = static_cast<float>(static_cast<double>(value) * scale_);
  summed_scale_ = 0;
  scale_ = 1;
}

void Learner::count_step() {
  if (!options_.average) return;
  summed_scale_ += scale_;
  ++steps_;
}

template <class List, class Posteriors>
double Learner::differentiate(const List& list, Posteriors& posteriors) const {
  posteriors.score(list, values_.data(), scale_);
  if constexpr (kHasDense<Posteriors>)
    if (!dense_.empty()) posteriors.add_dense(list, dense_.changes());
  return posteriors.differentiate(list, options_.objective, options_.gamma);
}

template <class List, class Posteriors>
double Learner::learn_directly(const List& list, Posteriors& posteriors) {
  const double value = differentiate(list, posteriors);
  decay();
  const double step = options_.rate / scale_;
  float* const values = values_.data();
  if (lags_.empty()) {
    posteriors.for_each_event(list, [&](double slope, const auto* features, size_t count) {
      const auto change = static_cast<float>(step * slope);
      for (size_t i = 0; i < count; ++i) values[features[i]] += change;
    });
  } else {
    posteriors.for_each_event(list, [&](double slope, const auto* features, size_t count) {
      const auto change = static_cast<float>(step * slope);
      const double lag = summed_scale_ * static_cast<double>(change);
      for (size_t i = 0; i < count; ++i) {
        values[features[i]] += change;
        lags_[features[i]] += lag;
      }
    });
  }
  if constexpr (kHasDense<Posteriors>)
    if (!dense_.empty()) {
      dense_.collect(list, posteriors);
      dense_.apply(1);
    }
  count_step();
  return value;
}

template <class List, class Posteriors>
double Learner::collect(const List& list, Posteriors& posteriors) {
  const double value = differentiate(list, posteriors);
  if constexpr (kHasDense<Posteriors>)
    if (!dense_.empty()) dense_.collect(list, posteriors);
  posteriors.for_each_event(list, [&](double slope, const auto* features, size_t count) {
    const auto change = static_cast<float>(slope);
    for (size_t i = 0; i < count; ++i) {
      const auto feature = features[i];
      gradient_[feature] += change;
      if (is_touched_[feature] == 0) {
        is_touched_[feature] = 1;
        touched_.push_back(feature);
      }
    }
  });
  return value;
}

void Learner::apply_batch(size_t lists) {
  decay();
  for (const uint32_t feature : touched_) {
    const double slope = static_cast<double>(gradient_[feature]) / static_cast<double>(lists);
    gradient_[feature] = 0;
    is_touched_[feature] = 0;
    if (slope == 0) continue;
    double step = options_.rate / scale_ * slope;
    if (options_.adagrad) {
      squares_[feature] += static_cast<float>(slope * slope);
      step /= std::sqrt(std::max(static_cast<double>(squares_[feature]), slope * slope));
    }
    const auto change = static_cast<float>(step);
    values_[feature] += change;
    if (!lags_.empty()) lags_[feature] += summed_scale_ * static_cast<double>(change);
  }
  touched_.clear();
  if (!dense_.empty()) dense_.apply(lists);
  count_step();
}

template <class Number, class Set>
Epoch Learner::pass_over(const Set& set, uint64_t seed, uint64_t epoch, size_t most,
                         const std::function<void()>& poll) {
  SplitMix random(seed, epoch);
  const std::vector<uint32_t> blocks = shuffled(set.blocks(), random);
  PosteriorsOf<Set> posteriors(set.widest());
  ReadAhead ahead;
  begin_average();
  const bool is_direct = options_.batch == 1 && !options_.adagrad;
  Epoch result;
  size_t pending = 0;
  for (size_t b = 0; b < blocks.size() && result.lists < most; ++b) {
    if (b + 1 < blocks.size()) ahead.ask(set.block(blocks[b + 1]));
    const size_t first = blocks[b] * Set::kBlock;
    const size_t count = std::min(Set::kBlock, set.size() - first);
    for (const uint32_t within : shuffled(count, random)) {
      if (result.lists == most) break;
      if (poll && result.lists % kListsPerPoll == 0) poll();
      ++result.lists;
      const auto list = set.template list<Number>(first + within);
      if (is_direct) {
        result.objective += learn_directly(list, posteriors);
        continue;
      }
      result.objective += collect(list, posteriors);
      if (++pending == options_.batch) {
        apply_batch(pending);
        pending = 0;
      }
    }
  }
  if (pending > 0) apply_batch(pending);
  settle();
  if (result.lists > 0) result.objective /= static_cast<double>(result.lists);
  return result;
}

Epoch Learner::pass(const TrainingSet& set, uint64_t seed, uint64_t epoch, size_t most,
                    const std::function<void()>& poll) {
  set.check(values_.size());
  if (!dense_.empty() && dense_.size() != set.dense_features())
    throw InputError("the lists have values of " + std::to_string(set.dense_features()) +
                     " dense features, but there are " + std::to_string(dense_.size()) + " rates");
  if (options_.threads > 1)
    return hogwild_pass(set, options_, epoch_order(set, seed, epoch, most), values_, dense_, poll);
  return set.is_small() ? pass_over<uint16_t>(set, seed, epoch, most, poll)
                        : pass_over<uint32_t>(set, seed, epoch, most, poll);
}

Epoch Learner::pass(const ForestSet& set, uint64_t seed, uint64_t epoch, size_t most,
                    const std::function<void()>& poll) {
  set.check(values_.size());
  if (options_.threads > 1 || !dense_.empty())
    throw InputError("forests are learned from by one thread, without the decoder's weights");
  return set.is_small() ? pass_over<uint16_t>(set, seed, epoch, most, poll)
                        : pass_over<uint32_t>(set, seed, epoch, most, poll);
}

}  // namespace tunesmith::xbleu
