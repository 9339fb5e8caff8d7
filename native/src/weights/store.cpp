#include "tunesmith/weights/store.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"

namespace tunesmith::weights {

namespace {

constexpr size_t kFirstSlots = 64;

}  // namespace

WeightStore::WeightStore() : slots_(kFirstSlots) {}

/// The slot of a key, or the free one where it belongs.
size_t WeightStore::slot_of(uint64_t key) const {
  size_t at = home(key);
  while (slots_[at].key != key && slots_[at].key != 0) at = next(at);
  return at;
}

uint32_t WeightStore::find(uint64_t key) const {
  const Slot& slot = slots_[slot_of(key)];
  return slot.key == 0 ? kNone : slot.number;
}

uint32_t WeightStore::insert(const FeatureName& name) {
  if (4 * (size() + 1) > 3 * slots_.size()) grow();
  Slot& slot = slots_[slot_of(name.key)];
  if (slot.key == 0) {
    if (size() == kNone) throw InputError("a weight store holds at most 2^32 - 1 features");
    slot = {name.key, static_cast<uint32_t>(size()), 0};
    keys_.push_back(name.key);
    records_.emplace_back().rate = first_rate_;
    name.append_to(names_);
  } else if (!name.is(names_[slot.number])) {
    collisions_.add(names_[slot.number], name.text());
  }
  return slot.number;
}

void WeightStore::set_weight(uint32_t number, double weight) {
  if (!std::isfinite(weight))
    throw InputError("the weight of " + quoted(names_[number]) + " is " + std::to_string(weight) +
                     "; expected a finite number");
  records_[number].weight = weight;
  slots_[slot_of(keys_[number])].weight = static_cast<float>(weight);
  ++version_;
}

void WeightStore::set_memory(uint32_t number, double rate, double drift, int64_t last) {
  WeightRecord& record = records_[number];
  record.rate = rate;
  record.drift = drift;
  record.last = last;
}

void WeightStore::reserve(size_t features, size_t name_bytes) {
  while (4 * features > 3 * slots_.size()) grow();
  keys_.reserve(features);
  records_.reserve(features);
  names_.offsets.reserve(features + 1);
  names_.blob.reserve(name_bytes);
}

std::vector<uint32_t> WeightStore::top(size_t count) const {
  std::vector<uint32_t> numbers(size());
  std::iota(numbers.begin(), numbers.end(), 0U);
  const auto before = [&](uint32_t a, uint32_t b) {
    const double left = std::abs(weight(a)), right = std::abs(weight(b));
    return left != right ? left > right : a < b;
  };
  const auto end = numbers.begin() + static_cast<std::ptrdiff_t>(std::min(count, size()));
  if (end != numbers.end()) std::nth_element(numbers.begin(), end, numbers.end(), before);
  std::sort(numbers.begin(), end, before);
  numbers.erase(end, numbers.end());
  return numbers;
}

void WeightStore::grow() {
  std::vector<Slot> old(2 * slots_.size());
  old.swap(slots_);
  for (const Slot& slot : old)
    if (slot.key != 0) slots_[slot_of(slot.key)] = slot;
}

size_t WeightStore::bytes() const {
  return slots_.capacity() * sizeof(Slot) + keys_.capacity() * sizeof(uint64_t) +
         records_.capacity() * sizeof(WeightRecord) + names_.blob.capacity() +
         names_.offsets.capacity() * sizeof(int64_t);
}

}  // namespace tunesmith::weights
