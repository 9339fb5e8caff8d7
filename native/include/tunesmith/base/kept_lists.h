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
/// replaces the older one, whose lists are dropped unless they were requested since. `List` has `size()`.
template <class List>
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

 private:
  static constexpr size_t kShards = 16;
  static constexpr size_t kKeptOptions = 1 << 14;  // per generation of a shard; about 200 bytes each

  struct Shard {
    using Lists = std::unordered_map<uint64_t, std::shared_ptr<const List>>;
    std::mutex mutex;
    Lists newer, older;
    size_t options = 0;  // in `newer`

    std::shared_ptr<const List> find(uint64_t key) {
      if (const auto found = newer.find(key); found != newer.end()) return found->second;
      const auto found = older.find(key);
      return found == older.end() ? nullptr : add(key, found->second);
    }
    std::shared_ptr<const List> add(uint64_t key, std::shared_ptr<const List> list) {
      if (options > kKeptOptions) {
        older = std::exchange(newer, {});
        options = 0;
      }
      options += list->size();
      return newer.emplace(key, std::move(list)).first->second;
    }
  };

  mutable std::array<Shard, kShards> shards_;
};

}  // namespace tunesmith
