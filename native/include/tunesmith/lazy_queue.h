// The queue of cube pruning, in which what is costly is asked as late as possible.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace tunesmith {

struct PopLimits {
  uint32_t pops = 0;  // 0 is without limit
  double threshold = std::numeric_limits<double>::infinity();
};

/// Takes items from a queue, best first, until the limit or until all are much worse than the best. An item
/// has a `priority` and says whether it `is_evaluated`; until then the priority is a foresight. When it comes
/// up first, `neighbors(item)` appends those after it to the queue, and `evaluate(item)` sets its true
/// priority, or returns false to drop it; it goes back if others are better now. `accept(item)` takes it.
template <class Item, class Neighbors, class Evaluate, class Accept>
void pop_lazily(std::vector<Item>& queue, const PopLimits& limits, Neighbors neighbors, Evaluate evaluate,
                Accept accept) {
  const auto worse = [](const Item& a, const Item& b) { return a.priority < b.priority; };
  std::ranges::make_heap(queue, worse);
  double best = -std::numeric_limits<double>::infinity();
  uint32_t accepted = 0;
  while (!queue.empty() && (limits.pops == 0 || accepted < limits.pops)) {
    std::ranges::pop_heap(queue, worse);
    Item item = queue.back();
    queue.pop_back();
    if (item.priority < best - limits.threshold) break;
    if (!item.is_evaluated()) {
      const size_t before = queue.size();
      neighbors(item);
      for (size_t i = before; i < queue.size(); ++i)
        std::push_heap(queue.begin(), queue.begin() + static_cast<std::ptrdiff_t>(i) + 1, worse);
      if (!evaluate(item)) continue;
      if (!queue.empty() && item.priority < queue.front().priority) {
        queue.push_back(item);
        std::ranges::push_heap(queue, worse);
        continue;
      }
    }
    best = std::max(best, item.priority);
    accept(item);
    ++accepted;
  }
}

}  // namespace tunesmith
