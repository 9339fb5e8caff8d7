#include "tunesmith/optimizers/online_step.h"

#include <algorithm>
#include <cmath>

#include "tunesmith/base/errors.h"

namespace tunesmith::optimizers {

namespace {

using weights::FeatureVector;
using weights::WeightRecord;
using weights::WeightStore;

/// Changes a weight, and with it the sum that its average is computed from.
void change(WeightStore& store, uint32_t number, double moved, double rate, int64_t step, int64_t last) {
  const WeightRecord old = store.record(number);
  store.set_weight(number, moved);
  store.set_memory(number, rate, old.drift + static_cast<double>(step) * (moved - old.weight), last);
}

/// The number of each feature of a vector in the store.
template <class Use>
void visit(WeightStore& store, const FeatureVector& vector, Use use) {
  const auto values = vector.values();
  for (size_t i = 0; i < vector.size(); ++i) {
    if (values[i] == 0) continue;
    use(vector.with_name(i, [&](const weights::FeatureName& name) { return store.insert(name); }), values[i]);
  }
}

double softened(double weight, double threshold) {
  const double size = std::abs(weight) - threshold;
  return size > 0 ? std::copysign(size, weight) : 0.0;
}

/// The weight after the penalties of `steps` steps in which the feature had no value.
double penalized(const WeightRecord& record, double steps, double penalty) {
  return record.rate > 0 ? softened(record.weight, steps * penalty / std::sqrt(record.rate)) : record.weight;
}

}  // namespace

void move_weights(WeightStore& store, const FeatureVector& direction, double alpha, const OnlineStep& step) {
  const double size = alpha * step.rate;
  visit(store, direction, [&](uint32_t number, double value) {
    const WeightRecord& record = store.record(number);
    const double rate = step.adaptive > 0 ? record.rate + step.adaptive * value * value : record.rate;
    const double divisor = step.adaptive > 0 && rate > 0 ? std::sqrt(rate) : 1.0;
    change(store, number, record.weight + size * value / divisor, rate, step.number, record.last);
  });
}

double passive_aggressive_step(WeightStore& store, const FeatureVector& difference, double loss,
                               double aggressiveness, const OnlineStep& step) {
  const double norm2 = difference.norm2();
  if (!(norm2 > 0)) return 0;
  const double alpha = std::min(aggressiveness, loss / norm2);
  move_weights(store, difference, alpha, step);
  return alpha;
}

void adagrad_step(WeightStore& store, const FeatureVector& direction, double l1, const OnlineStep& step) {
  visit(store, direction, [&](uint32_t number, double value) {
    const WeightRecord& record = store.record(number);
    const double skipped = static_cast<double>(step.number - record.last);
    const double before = penalized(record, skipped, step.rate * l1);
    const double rate = record.rate + value * value, root = std::sqrt(rate);
    const double moved = softened(before + step.rate * value / root, step.rate * l1 / root);
    change(store, number, moved, rate, step.number, step.number + 1);
  });
}

void settle_penalties(WeightStore& store, double l1, double rate, int64_t step) {
  for (uint32_t number = 0; number < store.size(); ++number) {
    const WeightRecord& record = store.record(number);
    if (record.last >= step || record.weight == 0) continue;
    const double moved = penalized(record, static_cast<double>(step - record.last), rate * l1);
    change(store, number, moved, record.rate, step, step);
  }
}

void pull_towards(WeightStore& store, const WeightStore& start, double factor) {
  for (uint32_t number = 0; number < store.size(); ++number) {
    const uint32_t there = start.find(store.key(number));
    const double anchor = there == WeightStore::kNone ? 0.0 : start.weight(there);
    const double weight = store.weight(number);
    if (weight != anchor) store.set_weight(number, anchor + factor * (weight - anchor));
  }
}

void begin_pass(WeightStore& store, const WeightStore* rates, double first) {
  store.set_first_rate(first);
  if (rates != nullptr)
    for (uint32_t number = 0; number < rates->size(); ++number)
      if (rates->record(number).rate != first) store.insert(rates->name(number));
  for (uint32_t number = 0; number < store.size(); ++number) {
    const uint32_t there = rates == nullptr ? WeightStore::kNone : rates->find(store.key(number));
    store.set_memory(number, there == WeightStore::kNone ? first : rates->record(there).rate, 0.0, 0);
  }
}

void restore_weights(WeightStore& store, const WeightStore& from, std::span<const uint64_t> keys) {
  for (const uint64_t key : keys) {
    const uint32_t number = store.find(key);
    if (number == WeightStore::kNone) continue;
    const uint32_t there = from.find(key);
    store.set_weight(number, there == WeightStore::kNone ? 0.0 : from.weight(there));
    store.set_memory(number, store.record(number).rate, 0.0, store.record(number).last);
  }
}

}  // namespace tunesmith::optimizers
