#include "tunesmith/weights/feature_vector.h"

#include <utility>

namespace tunesmith::weights {

uint32_t FeatureVector::entry(const FeatureName& name) {
  const auto [number, is_new] = entries_.insert(name.key, static_cast<uint32_t>(size()));
  if (is_new) {
    keys_.push_back(name.key);
    values_.push_back(0);
    name.append_to(names_);
  } else if (!name.is(names_[number])) {
    collisions_.add(names_[number], name.text());
  }
  return number;
}

void FeatureVector::add(const FeatureName& name, double value) { values_[entry(name)] += value; }

void FeatureVector::add(const FeatureVector& other, double scale) {
  if (&other == this) {
    for (double& value : values_) value += scale * value;
    return;
  }
  for (size_t i = 0; i < other.size(); ++i)
    other.with_name(i, [&](const FeatureName& name) { add(name, scale * other.values_[i]); });
  collisions_.add(other.collisions_);
}

double FeatureVector::value_of(uint64_t key) const {
  const uint32_t* number = entries_.find(key);
  return number == nullptr ? 0 : values_[*number];
}

double FeatureVector::dot(const WeightStore& store) const {
  double sum = 0;
  for (size_t i = 0; i < size(); ++i) {
    const uint32_t number = store.find(keys_[i]);
    if (number != WeightStore::kNone) sum += values_[i] * store.weight(number);
  }
  return sum;
}

double FeatureVector::norm2() const {
  double sum = 0;
  for (const double value : values_) sum += value * value;
  return sum;
}

void FeatureVector::drop_zeros() {
  FeatureVector kept;
  for (size_t i = 0; i < size(); ++i)
    if (values_[i] != 0) with_name(i, [&](const FeatureName& name) { kept.add(name, values_[i]); });
  kept.collisions_ = std::move(collisions_);
  *this = std::move(kept);
}

void add_to_weights(WeightStore& store, const FeatureVector& vector, double scale) {
  for (size_t i = 0; i < vector.size(); ++i) {
    const uint32_t number = vector.with_name(i, [&](const FeatureName& name) { return store.insert(name); });
    store.set_weight(number, store.weight(number) + scale * vector.values()[i]);
  }
  store.note(vector.collisions());
}

}  // namespace tunesmith::weights
