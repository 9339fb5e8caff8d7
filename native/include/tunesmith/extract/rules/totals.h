// The weight of each target side, summed over the rules of all source sides.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/scratch.h"

namespace tunesmith::extract::rules {

/// A rule's target side by two hashes (a chance of n^2 / 2^129 that any two of n sides are taken for one),
/// the rule's weight, and the rule's number within its part.
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

  /// Takes the records of a part, each part once, from any thread; on disk where a folder is given.
  void add(size_t part, std::vector<TargetRecord>&& records, const std::string& folder);

  /// Writes to totals[part][rule] the weight of all rules with that rule's target side.
  void sum(std::span<const std::span<uint64_t>> totals, int threads);

 private:
  std::vector<Scratch> files_;
  std::vector<std::vector<size_t>> borders_;  // of the ranges of hashes in a part's records
};

}  // namespace tunesmith::extract::rules
