#include "tunesmith/decode/lazy_queue.h"

#include <algorithm>
#include <cmath>

#include "check.h"
#include "tunesmith/base/splitmix.h"

namespace tunesmith::decode::lazy_queue_test {

/// Priorities of both signs, zeros and infinities are popped in order, for any order of pushes and pops.
TEST(a_heap_pops_the_greatest) {
  SplitMix random(1, 0);
  for (int round = 0; round < 200; ++round) {
    CompactHeap heap;
    std::vector<float> inside, values;
    const auto pop = [&] {
      const auto greatest = std::ranges::max_element(inside);
      const float found = values[heap.pop()];
      CHECK(found == *greatest);
      inside.erase(greatest);
    };
    for (uint32_t i = 0; i < 60; ++i) {
      const uint64_t draw = random.next() % 20;
      const float value = draw == 0   ? -INFINITY
                          : draw == 1 ? 0.0F
                                      : static_cast<float>(random.next() % 1000) / 7 - 70;
      heap.push(double{value}, i);
      values.push_back(value);
      inside.push_back(value);
      CHECK(!heap.has_better_than(double{*std::ranges::max_element(inside)}));
      if (random.next() % 3 == 0) pop();
    }
    while (!inside.empty()) pop();
    CHECK(heap.empty());
  }
}

struct Item {
  double priority;
  double truth;
  bool evaluated = false;

  bool is_evaluated() const { return evaluated; }
};

/// If no estimate is too low, items are taken in the order of their true priorities.
TEST(items_come_in_true_order) {
  SplitMix random(2, 0);
  std::vector<Item> items;
  std::vector<double> expected;
  for (int i = 0; i < 100; ++i) {
    const double truth = static_cast<double>(random.next() % 1000);
    items.push_back({truth + static_cast<double>(random.next() % 50), truth});
    if (truth >= 100) expected.push_back(truth);
  }
  std::ranges::sort(expected, std::greater{});
  std::vector<double> taken;
  CompactHeap heap;
  const auto evaluate = [](Item& item) {
    item.priority = item.truth;
    item.evaluated = true;
    return item.truth >= 100;  // the others are forbidden
  };
  pop_lazily(
      items, heap, {}, [](const Item&) {}, evaluate, [&](const Item& item) { taken.push_back(item.truth); });
  CHECK(taken == expected);
  for (Item& item : items) item.evaluated = false;
  taken.clear();
  pop_lazily(
      items, heap, {10}, [](const Item&) {}, evaluate,
      [&](const Item& item) { taken.push_back(item.truth); });
  CHECK(taken.size() == 10);
}

}  // namespace tunesmith::decode::lazy_queue_test
