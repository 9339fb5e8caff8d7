// Lists that were computed once and may be asked for again, by any thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace tunesmith {

/// `List` tells its `size`. What is kept is bounded: a shard that is full forgets all it has.
template <class List>
class KeptLists {
 public:
  /// The list of a key; `make` is called where it is not kept.
  template <class Make>
  std::shared_ptr<const List> get(uint64_t key, Make make) const {
    Shard& shard = shards_[key % kShards];
    {
      const std::scoped_lock lock(shard.mutex);
      if (const auto found = shard.lists.find(key); found != shard.lists.end()) return found->second;
    }
    std::shared_ptr<const List> list = make();  // without the lock: it may take long
    const std::scoped_lock lock(shard.mutex);
    if (shard.options > kKeptOptions) {
      shard.lists.clear();
      shard.options = 0;
    }
    shard.options += list->size();
    return shard.lists.emplace(key, std::move(list)).first->second;
  }

 private:
  static constexpr size_t kShards = 16;
  static constexpr size_t kKeptOptions = 1 << 13;  // a shard; with some 200 bytes each

  struct Shard {
    std::mutex mutex;
    std::unordered_map<uint64_t, std::shared_ptr<const List>> lists;
    size_t options = 0;
  };

  mutable std::array<Shard, kShards> shards_;
};

}  // namespace tunesmith
