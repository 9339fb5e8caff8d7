// Cache of extracted rules by pattern, bounded in memory.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "tunesmith/extract/on_demand/pattern_rules.h"

namespace tunesmith::extract::on_demand {

/// Keeps recently used entries, in two generations: once the young entries fill half of the memory, they
/// become the old generation and the previous one is dropped; a hit makes an entry young again. Thread-safe.
/// Results do not depend on the cache.
class PatternCache {
 public:
  explicit PatternCache(size_t bytes) : shard_bytes_(bytes / (2 * kShards)) {}

  /// nullptr if the pattern is not cached.
  std::shared_ptr<const PatternRules> find(const Pattern& pattern);
  void put(const Pattern& pattern, std::shared_ptr<const PatternRules> rules);

 private:
  static constexpr size_t kShards = 16;
  using Map = std::unordered_map<Pattern, std::shared_ptr<const PatternRules>, PatternHash>;

  struct Shard {
    std::mutex mutex;
    Map young, old;
    size_t young_bytes = 0;
  };
  Shard& shard_of(const Pattern& pattern) { return shards_[(PatternHash()(pattern) >> 32) % kShards]; }
  void insert(Shard& shard, const Pattern& pattern, std::shared_ptr<const PatternRules> rules);

  size_t shard_bytes_;
  std::array<Shard, kShards> shards_;
};

}  // namespace tunesmith::extract::on_demand
