// Which candidates of pools that come one after another are new.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/candidates/lists.h"

namespace tunesmith::candidates {

/// One of the pools to unite. Its list g becomes part of list `targets[g]` of the union. Its columns are
/// those of the union. Texts may be absent (empty); then scores tell candidates apart.
struct PoolPart {
  CandidateLists lists;
  Texts texts;
  MatrixView scores;
  std::span<const int64_t> targets;
};

/// Two candidates of a list are the same if their texts (or, without texts, their scores) are equal and
/// their feature vectors are, where an absent feature is zero. Hashes only say where to look: what has
/// equal hashes is compared. At least 32 bytes a candidate.
class PoolUnion {
 public:
  /// Returns the rows, rising, that equal no candidate of the pools so far. O(entries of the part).
  std::vector<int64_t> find_new(const PoolPart& part, int threads) const;

  /// Adds a pool. Returns the rows, rising, that equal no candidate before them. O(entries of the part); what
  /// the part views must outlive the union.
  std::vector<int64_t> add(const PoolPart& part, int threads);

 private:
  struct Known {
    uint64_t hash = 0;
    int32_t part = -1;
    int32_t row = 0;
  };
  /// The candidates of one list, by hash; open addressing, at most half full.
  struct Table {
    std::vector<Known> slots;
    size_t size = 0;

    void reserve(size_t more);
  };

  /// Where a table has the equal of a candidate or, if there is none, an empty slot.
  size_t find(const Table& table, uint64_t hash, const PoolPart& part, int64_t row) const;

  std::vector<PoolPart> parts_;
  std::vector<Table> tables_;
};

}  // namespace tunesmith::candidates
