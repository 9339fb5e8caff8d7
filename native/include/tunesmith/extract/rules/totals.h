// Marginal counts of target sides: weights summed over the rules of all source sides.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/scratch.h"

namespace tunesmith::extract::rules {

/// A rule's target side as two hashes (collision probability n^2 / 2^129 for n sides), the rule's weight, and
/// its number within its part.
struct TargetRecord {
  uint64_t hash;
  uint64_t check;
  uint64_t weight;
  uint32_t part;
  uint32_t rule;
};

TargetRecord target_record(std::string_view target, uint64_t weight, size_t part, uint64_t rule);

class TargetTotals {
 public:
  explicit TargetTotals(size_t parts) : files_(parts), borders_(parts) {}

  /// Adds the records of a part, once per part; thread-safe for different parts. Stored on disk if a folder
  /// is given.
  void add(size_t part, std::vector<TargetRecord>&& records, const std::string& folder);

  /// Writes to totals[part][rule] the total weight of the rules with the same target side.
  void sum(std::span<const std::span<uint64_t>> totals, int threads);

 private:
  std::vector<Scratch> files_;
  std::vector<std::vector<size_t>> borders_;  // offsets of the hash ranges in each part's records
};

}  // namespace tunesmith::extract::rules
