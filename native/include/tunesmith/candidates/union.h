// Incremental union of pools: finds the candidates that are not duplicates.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/candidates/lists.h"

namespace tunesmith::candidates {

/// One of the pools to merge. Its list g becomes part of list `targets[g]` of the union; its columns are
/// those of the union. If texts are absent (empty), scores distinguish candidates.
struct PoolPart {
  CandidateLists lists;
  Texts texts;
  MatrixView scores;
  std::span<const int64_t> targets;
};

/// Two candidates of a list are duplicates if both their texts (or, without texts, their scores) and their
/// feature vectors are equal, absent features being zero. Candidates with equal hashes are compared. At least
/// 32 bytes per candidate.
class PoolUnion {
 public:
  /// Returns the rows, rising, that equal no candidate of the pools added so far. O(entries of the part).
  std::vector<int64_t> find_new(const PoolPart& part, int threads) const;

  /// Adds a pool and returns the rows, rising, that equal no earlier candidate. O(entries of the part). The
  /// memory that the part views must outlive the union.
  std::vector<int64_t> add(const PoolPart& part, int threads);

 private:
  struct Known {
    uint64_t hash = 0;
    int32_t part = -1;
    int32_t row = 0;
  };
  /// Hash table of one list's candidates; open addressing, at most half full.
  struct Table {
    std::vector<Known> slots;
    size_t size = 0;

    void reserve(size_t more);
  };

  /// The slot of a candidate's duplicate or, if there is none, an empty slot.
  size_t find(const Table& table, uint64_t hash, const PoolPart& part, int64_t row) const;

  std::vector<PoolPart> parts_;
  std::vector<Table> tables_;
};

}  // namespace tunesmith::candidates
