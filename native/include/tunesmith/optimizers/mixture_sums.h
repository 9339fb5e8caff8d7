// The sums of a mixture over all shards, by ranges of keys.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "tunesmith/optimizers/mixture_range.h"
#include "tunesmith/optimizers/mixture_source.h"

namespace tunesmith::optimizers {

/// Number of ranges of keys, whatever the number of threads; more threads than ranges are of no use.
inline constexpr size_t kMixtureRanges = 64;

inline size_t mixture_range_of(uint64_t key) { return key / (UINT64_MAX / kMixtureRanges + 1); }

/// What the weights of a source count for.
struct SourceUse {
  double share = 0;
  int64_t steps = 0;
};

/// Reads sources block by block, in two steps. First blocks are checked and their entries grouped by range,
/// each block by a thread; then each range adds its groups in their order, each range by a thread.
class MixtureSums {
 public:
  /// Adds all sources, the start weights first; `uses` are of the others. Files stay mapped.
  void add_all(std::vector<MixtureSource>& sources, std::span<const SourceUse> uses, int threads,
               const std::function<void()>& poll);

  std::array<MixtureRange, kMixtureRanges>& ranges() { return ranges_; }

 private:
  /// Features [begin, end) of a source, and their entries by range: those of range r are
  /// [begins[r], begins[r + 1]).
  struct Block {
    uint32_t source = 0;
    size_t begin = 0, end = 0;
    std::vector<SourceEntry> entries;
    std::array<uint32_t, kMixtureRanges + 1> begins{};
  };

  static void group(const MixtureSource& source, int64_t steps, Block& block);
  void add(std::span<const Block> blocks, size_t range, std::span<const MixtureSource> sources,
           std::span<const SourceUse> uses);

  std::array<MixtureRange, kMixtureRanges> ranges_;
};

}  // namespace tunesmith::optimizers
