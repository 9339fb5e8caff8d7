#include "tunesmith/base/kept_lists.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "check.h"

namespace tunesmith::kept_lists_test {

/// A list with a given number of options that knows its key and counts live instances.
class CountedList {
 public:
  CountedList(uint64_t key, size_t size, std::atomic<size_t>& alive) : key_(key), size_(size), alive_(alive) {
    alive_ += size_;
  }
  ~CountedList() { alive_ -= size_; }
  uint64_t key() const { return key_; }
  size_t size() const { return size_; }

 private:
  uint64_t key_;
  size_t size_;
  std::atomic<size_t>& alive_;
};

/// Requests lists and counts how many were made.
struct Asked {
  std::atomic<size_t> alive = 0, made = 0;  // declared before the lists, whose destructors use them
  KeptLists<CountedList> lists;

  std::shared_ptr<const CountedList> operator()(uint64_t key, size_t size) {
    return lists.get(key, [&] {
      ++made;
      return std::make_shared<const CountedList>(key, size, alive);
    });
  }
};

constexpr size_t kSize = 1000;
constexpr uint64_t kKeys = 20000;  // many times the capacity of the cache

TEST(a_list_is_made_once) {
  Asked asked;
  const auto first = asked(7, kSize);
  CHECK(asked(7, kSize) == first);
  CHECK(asked.made == 1);
}

TEST(the_cache_is_bounded) {
  Asked asked;
  size_t most = 0;
  for (uint64_t key = 0; key < kKeys; ++key) {
    asked(key, kSize);
    most = std::max(most, asked.alive.load());
  }
  CHECK(most < kKeys * kSize / 10);
  CHECK(most > kKeys * kSize / 100);  // it does cache something
  asked(0, kSize);
  CHECK(asked.made == kKeys + 1);  // the first list was evicted
}

TEST(lists_that_are_requested_often_stay) {
  Asked asked;
  for (uint64_t key = 0; key < kKeys; ++key) {
    asked(key, kSize);
    CHECK(asked(0, kSize)->key() == 0);
  }
  CHECK(asked.made == kKeys);
}

TEST(a_list_in_use_outlives_its_eviction) {
  Asked asked;
  const auto held = asked(0, kSize);
  for (uint64_t key = 1; key < kKeys; ++key) asked(key, kSize);
  CHECK(held->key() == 0);
  CHECK(asked(0, kSize) != held);
}

TEST(threads_share_the_lists) {
  Asked asked;
  std::atomic<size_t> wrong = 0;
  constexpr uint64_t kShared = 500;
  const auto work = [&](uint64_t first) {
    for (uint64_t i = 0; i < 20 * kShared; ++i) {
      const uint64_t key = (first + i) % kShared;
      if (asked(key, 1)->key() != key) ++wrong;
    }
  };
  std::vector<std::jthread> threads;
  for (uint64_t i = 0; i < 4; ++i) threads.emplace_back(work, i * kShared / 4);
  threads.clear();
  CHECK(wrong == 0);
  CHECK(asked.alive == kShared);    // of two lists made at once, one is cached
  CHECK(asked.made < 2 * kShared);  // and this is rare
}

}  // namespace tunesmith::kept_lists_test
