// Thread-safe bounded cache of computed lists.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace tunesmith {

/// Sharded cache that approximates least-recently-used eviction with two generations: a full newer generation
/// replaces the older one, whose lists are dropped unless they were requested since. `List` has `size()`; a
/// generation of a shard is full when it has `kKept`.
template <class List, size_t kKept = size_t{1} << 14>
class KeptLists {
 public:
  /// The list of a key; a miss calls `make`.
  template <class Make>
  std::shared_ptr<const List> get(uint64_t key, Make make) const {
    Shard& shard = shards_[key % kShards];
    {
      const std::scoped_lock lock(shard.mutex);
      if (auto found = shard.find(key)) return found;
    }
    std::shared_ptr<const List> list = make();  // without the lock: it may take long
    const std::scoped_lock lock(shard.mutex);
    return shard.add(key, std::move(list));
  }

  /// Drops all lists; those in use stay alive.
  void clear() {
    for (Shard& shard : shards_) {
      const std::scoped_lock lock(shard.mutex);
      shard.newer.clear();
      shard.older.clear();
      shard.kept = 0;
    }
  }

 private:
  static constexpr size_t kShards = 16;

  struct Shard {
    using Lists = std::unordered_map<uint64_t, std::shared_ptr<const List>>;
    std::mutex mutex;
    Lists newer, older;
    size_t kept = 0;  // in `newer`

    std::shared_ptr<const List> find(uint64_t key) {
      if (const auto found = newer.find(key); found != newer.end()) return found->second;
      const auto found = older.find(key);
      return found == older.end() ? nullptr : add(key, found->second);
    }
    std::shared_ptr<const List> add(uint64_t key, std::shared_ptr<const List> list) {
      if (kept > kKept) {
        older = std::exchange(newer, {});
        kept = 0;
      }
      kept += list->size();
      return newer.emplace(key, std::move(list)).first->second;
    }
  };

  mutable std::array<Shard, kShards> shards_;
};

}  // namespace tunesmith
