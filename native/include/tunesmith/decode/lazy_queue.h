// The priority queue of cube pruning (Chiang 2007; Huang and Chiang 2007) with lazy evaluation: costly
// features are computed as late as possible, and a cell goes back if its full score is worse than the next
// cell's estimate.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <vector>

#include "tunesmith/base/held_bytes.h"

namespace tunesmith::decode {

struct PopLimits {
  uint32_t pops = 0;  // 0 is without limit
  double threshold = std::numeric_limits<double>::infinity();
};

/// A 4-ary max-heap of numbers by priority; of equal priorities the greatest number comes first. An entry is
/// one integer with the priority as a float in its upper half: four siblings share a cache line and are
/// compared without branches, which would be unpredictable.
class CompactHeap {
 public:
  void clear() { entries_.clear(); }
  bool empty() const { return entries_.empty(); }
  bool has_better_than(double priority) const {
    return !entries_.empty() && entries_[0] >> 32 > entry(priority, 0) >> 32;
  }
  size_t bytes() const { return held_bytes(entries_); }

  void push(double priority, uint32_t number) {
    const uint64_t added = entry(priority, number);
    size_t at = entries_.size();
    entries_.push_back(added);
    for (; at > 0 && entries_[(at - 1) / 4] < added; at = (at - 1) / 4) entries_[at] = entries_[(at - 1) / 4];
    entries_[at] = added;
  }
  uint32_t pop() {
    const auto number = static_cast<uint32_t>(entries_[0]);
    const uint64_t last = entries_.back();
    entries_.pop_back();
    if (!entries_.empty()) sink(last);
    return number;
  }

 private:
  /// The bits of a float, with those of negative ones inverted, are ordered as the floats are.
  static uint64_t entry(double priority, uint32_t number) {
    const auto bits = std::bit_cast<uint32_t>(static_cast<float>(priority));
    const uint32_t ordered = (bits & 0x80000000U) != 0 ? ~bits : bits | 0x80000000U;
    return uint64_t{ordered} << 32 | number;
  }

  /// Moves an entry down from the top to its position.
  void sink(uint64_t sinking) {
    const size_t size = entries_.size();
    size_t at = 0;
    for (size_t child = 1; child < size; child = 4 * at + 1) {
      size_t greatest = child;
      if (child + 4 <= size) {
        const size_t left = child + (entries_[child] < entries_[child + 1] ? 1 : 0);
        const size_t right = child + 2 + (entries_[child + 2] < entries_[child + 3] ? 1 : 0);
        greatest = entries_[left] < entries_[right] ? right : left;
      } else {
        for (size_t i = child + 1; i < size; ++i) greatest = entries_[greatest] < entries_[i] ? i : greatest;
      }
      if (!(sinking < entries_[greatest])) break;
      entries_[at] = entries_[greatest];
      at = greatest;
    }
    entries_[at] = sinking;
  }

  std::vector<uint64_t> entries_;
};

/// Pops items best first until the limit, or until all are worse than the best by more than the threshold. An
/// item has a `priority`, which is an estimate until it `is_evaluated`. When it is first popped,
/// `neighbors(item)` appends its successors to the items, and `evaluate(item)` sets its true priority or
/// returns false to drop it; it goes back if others are better now. Else `accept(item)` takes it. The heap is
/// scratch.
template <class Item, class Neighbors, class Evaluate, class Accept>
void pop_lazily(std::vector<Item>& items, CompactHeap& heap, const PopLimits& limits, Neighbors neighbors,
                Evaluate evaluate, Accept accept) {
  heap.clear();
  size_t queued = 0;
  const auto queue_new = [&] {
    for (; queued < items.size(); ++queued) heap.push(items[queued].priority, static_cast<uint32_t>(queued));
  };
  queue_new();
  double best = -std::numeric_limits<double>::infinity();
  uint32_t accepted = 0;
  while (!heap.empty() && (limits.pops == 0 || accepted < limits.pops)) {
    const uint32_t number = heap.pop();
    Item item = items[number];  // a copy: neighbors may move the items
    if (item.priority < best - limits.threshold) break;
    if (!item.is_evaluated()) {
      neighbors(item);
      queue_new();
      if (!evaluate(item) || item.priority < best - limits.threshold) continue;
      if (heap.has_better_than(item.priority)) {
        items[number] = item;
        heap.push(item.priority, number);
        continue;
      }
    }
    best = std::max(best, item.priority);
    accept(item);
    ++accepted;
  }
}

}  // namespace tunesmith::decode
