#include "tunesmith/base/stable_order.h"

#include <array>
#include <bit>
#include <numeric>

namespace tunesmith {

namespace {

struct Item {
  uint64_t bits;
  uint32_t index;
};

/// Bits whose order as unsigned integers is the order of the doubles.
uint64_t ordered_bits(double key) {
  const auto bits = std::bit_cast<uint64_t>(key);
  return bits >> 63 ? ~bits : bits | (uint64_t{1} << 63);
}

}  // namespace

std::vector<uint32_t> stable_order(std::span<const double> keys) {
  std::array<std::array<uint32_t, 256>, 8> counts{};
  std::vector<Item> items(keys.size()), sorted(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) {
    items[i] = {ordered_bits(keys[i]), static_cast<uint32_t>(i)};
    for (size_t byte = 0; byte < 8; ++byte) ++counts[byte][items[i].bits >> (8 * byte) & 255];
  }
  for (size_t byte = 0; byte < 8 && !items.empty(); ++byte) {
    auto& starts = counts[byte];
    if (starts[items[0].bits >> (8 * byte) & 255] == items.size()) continue;
    std::exclusive_scan(starts.begin(), starts.end(), starts.begin(), uint32_t{0});
    for (const Item& item : items) sorted[starts[item.bits >> (8 * byte) & 255]++] = item;
    items.swap(sorted);
  }
  std::vector<uint32_t> order(keys.size());
  for (size_t i = 0; i < items.size(); ++i) order[i] = items[i].index;
  return order;
}

}  // namespace tunesmith
