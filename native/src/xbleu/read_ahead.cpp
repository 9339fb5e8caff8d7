#include "tunesmith/xbleu/read_ahead.h"

#include <sys/mman.h>

#include <cstdint>

namespace tunesmith::xbleu {

namespace {

constexpr size_t kPageBytes = 4096;

void advise(std::span<const char> range) {
  const auto begin = reinterpret_cast<uintptr_t>(range.data()) & ~(kPageBytes - 1);
  const auto end = reinterpret_cast<uintptr_t>(range.data() + range.size());
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_WILLNEED);  // a hint: failure only costs speed
}

}  // namespace

ReadAhead::~ReadAhead() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    range_ = {};
  }
  asked_.notify_one();
  thread_.join();
}

void ReadAhead::ask(std::span<const char> range) {
  {
    const std::lock_guard lock(mutex_);
    range_ = range;
  }
  asked_.notify_one();
}

void ReadAhead::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    asked_.wait(lock, [&] { return is_ending_ || !range_.empty(); });
    if (is_ending_) return;
    const std::span<const char> range = range_;
    range_ = {};
    lock.unlock();
    advise(range);
    for (size_t at = 0; at < range.size(); at += kPageBytes)
      static_cast<void>(*static_cast<const volatile char*>(range.data() + at));
    lock.lock();
  }
}

}  // namespace tunesmith::xbleu
