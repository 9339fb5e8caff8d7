// The union of pools, list by list, each candidate once.
#pragma once

#include <span>
#include <vector>

#include "tunesmith/name_table.h"
#include "tunesmith/pool.h"

namespace tunesmith {

/// One of the pools to merge. Its list g becomes part of list `targets[g]` of the union, its feature
/// c becomes feature `columns[c]`. Texts may be absent (empty); then scores tell candidates apart.
struct PoolPart {
  Lists lists;
  Texts texts;
  StatsMatrix scores;
  std::span<const int64_t> targets;
  std::span<const int32_t> columns;
};

struct MergedPool {
  std::vector<int64_t> lists;
  std::vector<int64_t> rows;  // where each candidate was in the parts laid one after another
  std::vector<int64_t> offsets;
  std::vector<int32_t> columns;
  std::vector<double> values;
  TextColumn texts;
};

/// Candidates stand in the order of the parts. Two are the same if their texts (or, without texts,
/// their scores) are equal and their feature vectors are, where an absent feature is zero; the first
/// one stays. Hashes only say where to look: what has equal hashes is compared. O(entries) time.
MergedPool merge_pools(const std::vector<PoolPart>& parts, size_t lists, int threads);

}  // namespace tunesmith
