// Passes of the learner over forests: the steps are those on lists.
#include <algorithm>
#include <numeric>

#include "tunesmith/base/splitmix.h"
#include "tunesmith/xbleu/learner.h"
#include "tunesmith/xbleu/read_ahead.h"

namespace tunesmith::xbleu {

namespace {

constexpr size_t kForestsPerPoll = 100;

/// 0, 1, ..., count - 1 in a random order.
std::vector<uint32_t> order_of_forests(size_t count, SplitMix& random) {
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  for (size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(static_cast<uint32_t>(i))]);
  return order;
}

}  // namespace

template <class Number>
double Learner::learn_directly(const TrainingForest<Number>& forest, ForestPosteriors& posteriors) {
  posteriors.score(forest, values_.data(), scale_);
  const double value = posteriors.differentiate(forest, options_.objective, options_.gamma);
  decay();
  const double step = options_.rate / scale_;
  posteriors.for_each_event(forest, [&](double slope, const Number* features, size_t count) {
    const auto change = static_cast<float>(step * slope);
    for (size_t i = 0; i < count; ++i) values_[features[i]] += change;
    if (lags_.empty()) return;
    const double lag = summed_scale_ * static_cast<double>(change);
    for (size_t i = 0; i < count; ++i) lags_[features[i]] += lag;
  });
  count_step();
  return value;
}

template <class Number>
double Learner::collect(const TrainingForest<Number>& forest, ForestPosteriors& posteriors) {
  posteriors.score(forest, values_.data(), scale_);
  const double value = posteriors.differentiate(forest, options_.objective, options_.gamma);
  posteriors.for_each_event(forest, [&](double slope, const Number* features, size_t count) {
    for (size_t i = 0; i < count; ++i) {
      const Number feature = features[i];
      gradient_[feature] += static_cast<float>(slope);
      if (is_touched_[feature] != 0) continue;
      is_touched_[feature] = 1;
      touched_.push_back(feature);
    }
  });
  return value;
}

template <class Number>
Epoch Learner::pass_over(const ForestSet& set, uint64_t seed, uint64_t epoch, size_t most,
                         const std::function<void()>& poll) {
  SplitMix random(seed, epoch);
  const std::vector<uint32_t> blocks = order_of_forests(set.blocks(), random);
  ForestPosteriors posteriors(set.widest());
  ReadAhead ahead;
  begin_average();
  const bool is_direct = options_.batch == 1 && !options_.adagrad;
  Epoch result;
  size_t pending = 0;
  for (size_t b = 0; b < blocks.size() && result.lists < most; ++b) {
    if (b + 1 < blocks.size()) ahead.ask(set.block(blocks[b + 1]));
    const size_t first = blocks[b] * ForestSet::kBlock;
    const size_t count = std::min(ForestSet::kBlock, set.size() - first);
    for (const uint32_t within : order_of_forests(count, random)) {
      if (result.lists == most) break;
      if (poll && result.lists % kForestsPerPoll == 0) poll();
      ++result.lists;
      const TrainingForest<Number> forest = set.list<Number>(first + within);
      if (is_direct) {
        result.objective += learn_directly(forest, posteriors);
        continue;
      }
      result.objective += collect(forest, posteriors);
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

Epoch Learner::pass(const ForestSet& set, uint64_t seed, uint64_t epoch, size_t most,
                    const std::function<void()>& poll) {
  set.check(values_.size());
  return set.is_small() ? pass_over<uint16_t>(set, seed, epoch, most, poll)
                        : pass_over<uint32_t>(set, seed, epoch, most, poll);
}

}  // namespace tunesmith::xbleu
