// The sums of a mixture, for the features of one range of keys.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace tunesmith::optimizers {

/// A feature of a source: the start weights are source 0, shards follow.
struct SourceEntry {
  uint64_t key;
  double weight;
  double average;   // over the steps of the shard
  uint32_t number;  // in the source
  uint32_t name_bytes;
};

/// Sums over the shards that were added. One cache line.
struct MixtureColumn {
  uint64_t key = 0;
  uint64_t first = 0;  // source << 32 | number there: where its name is. Features are in this order
  double start = 0;    // the weight that all shards began with
  double last = 0, average = 0, squares = 0;
  double changed_share = 0;  // of the shards that changed it
  uint32_t changed = 0;
  uint32_t newest = 0;  // the source that had it last
};

/// Columns in the order of their first entries, found by key. Sources must be added in their order, and
/// entries in the order of the source: then the cost per entry is O(1), and no look-up at all if the feature
/// follows the one before it, as shards that began with the same weights have them.
class MixtureRange {
 public:
  /// Adds features of the start weights. Returns the number of an entry that is repeated, if any.
  std::optional<uint32_t> add_start(std::span<const SourceEntry> entries);
  /// Adds features of a shard: share times weight, share times average, weight squared.
  std::optional<uint32_t> add(std::span<const SourceEntry> entries, uint32_t source, double share);

  size_t size() const { return size_; }
  const MixtureColumn& operator[](size_t i) const { return chunks_[i / kChunk][i % kChunk]; }
  /// Bytes of the names of all features.
  uint64_t name_bytes() const { return name_bytes_; }
  void clear() { *this = MixtureRange(); }

 private:
  static constexpr size_t kChunk = 256;

  MixtureColumn& column(size_t i) { return chunks_[i / kChunk][i % kChunk]; }
  /// The column of an entry, which is added if it is new; none if this source has had it before.
  MixtureColumn* place(const SourceEntry& entry, uint32_t source);
  size_t find_or_add(const SourceEntry& entry, uint32_t source);
  void grow();

  std::vector<std::unique_ptr<MixtureColumn[]>> chunks_;  // a vector would move, and keep twice the memory
  size_t size_ = 0;
  std::vector<uint32_t> slots_;  // column + 1; open addressing, a power of two, at most half full
  size_t next_ = 0;              // after the column of the last entry
  uint32_t source_ = 0;          // of the last entry
  uint64_t name_bytes_ = 0;
};

}  // namespace tunesmith::optimizers
