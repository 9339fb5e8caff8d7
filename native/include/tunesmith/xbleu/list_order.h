// The order in which a pass goes through lists: of blocks, and of the lists within each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tunesmith/base/splitmix.h"
#include "tunesmith/xbleu/training_set.h"

namespace tunesmith::xbleu {

/// 0, 1, ..., count - 1 in a random order.
inline std::vector<uint32_t> shuffled(size_t count, SplitMix& random) {
  std::vector<uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0u);
  for (size_t i = count; i > 1; --i) std::swap(order[i - 1], order[random.below(static_cast<uint32_t>(i))]);
  return order;
}

/// The first `most` lists of an epoch at once, drawn from (seed, number of the epoch). Those of a block are
/// neighbors. O(lists).
inline std::vector<uint32_t> epoch_order(const TrainingSet& set, uint64_t seed, uint64_t epoch, size_t most) {
  SplitMix random(seed, epoch);
  std::vector<uint32_t> order;
  for (const uint32_t block : shuffled(set.blocks(), random)) {
    const size_t first = block * TrainingSet::kBlock;
    for (const uint32_t within : shuffled(std::min(TrainingSet::kBlock, set.size() - first), random))
      order.push_back(static_cast<uint32_t>(first + within));
  }
  order.resize(std::min(order.size(), most));
  return order;
}

}  // namespace tunesmith::xbleu
