#include "tunesmith/extract/on_demand/pattern_cache.h"

namespace tunesmith::extract::on_demand {

namespace {

constexpr size_t kEntryBytes = 160;  // a pattern, its node in the table and the pointer

}  // namespace

std::shared_ptr<const PatternRules> PatternCache::find(const Pattern& pattern) {
  Shard& shard = shard_of(pattern);
  const std::lock_guard lock(shard.mutex);
  if (const auto found = shard.young.find(pattern); found != shard.young.end()) return found->second;
  const auto found = shard.old.find(pattern);
  if (found == shard.old.end()) return nullptr;
  auto rules = found->second;
  shard.old.erase(found);
  insert(shard, pattern, rules);
  return rules;
}

void PatternCache::put(const Pattern& pattern, std::shared_ptr<const PatternRules> rules) {
  Shard& shard = shard_of(pattern);
  const std::lock_guard lock(shard.mutex);
  insert(shard, pattern, std::move(rules));
}

void PatternCache::insert(Shard& shard, const Pattern& pattern, std::shared_ptr<const PatternRules> rules) {
  const size_t bytes = kEntryBytes + rules->bytes();
  if (bytes > shard_bytes_) return;
  if (shard.young_bytes + bytes > shard_bytes_) {
    shard.old = std::move(shard.young);
    shard.young = Map();
    shard.young_bytes = 0;
  }
  if (shard.young.try_emplace(pattern, std::move(rules)).second) shard.young_bytes += bytes;
}

}  // namespace tunesmith::extract::on_demand
