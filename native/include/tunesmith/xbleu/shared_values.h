// Weights that several threads read and change at once, without locks.
#pragma once

#include <atomic>
#include <span>

namespace tunesmith::xbleu {

/// Relaxed loads and stores of single values: no thread waits for another. A change is lost if another thread
/// changes the same value at the same moment.
template <class Value>
class SharedValues {
 public:
  explicit SharedValues(std::span<Value> values) : values_(values.data()) {}

  Value operator[](size_t i) const {
    return std::atomic_ref<Value>(values_[i]).load(std::memory_order_relaxed);
  }
  void add(size_t i, Value change) const {
    const std::atomic_ref<Value> value(values_[i]);
    value.store(value.load(std::memory_order_relaxed) + change, std::memory_order_relaxed);
  }

 private:
  Value* values_;
};

}  // namespace tunesmith::xbleu
