// A way to stop work on several threads from outside: the caller's thread asks now and then.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace tunesmith {

/// Asks `poll` on the thread that made it, at most every 100 ms; what `poll` throws stops all workers.
class Interruption {
 public:
  /// Thrown in a worker that is to stop.
  struct Stopped {};

  explicit Interruption(std::function<void()> poll) : poll_(std::move(poll)) {}

  bool is_possible() const { return static_cast<bool>(poll_); }

  /// Called by workers wherever they may stop.
  void check() {
    if (stopped_.load(std::memory_order_relaxed)) throw Stopped();
    if (!poll_ || std::this_thread::get_id() != caller_ || Clock::now() < next_) return;
    try {
      poll_();
    } catch (...) {
      failure_ = std::current_exception();
      stopped_ = true;
      throw Stopped();
    }
    next_ = Clock::now() + kPause;
  }

  /// Counts a worker while it lives. It must be made before the worker looks for work.
  class Stay {
   public:
    explicit Stay(Interruption& interruption) : interruption_(interruption) { interruption_.add(1); }
    ~Stay() { interruption_.add(-1); }
    Stay(const Stay&) = delete;
    Stay& operator=(const Stay&) = delete;

   private:
    Interruption& interruption_;
  };

  /// Goes on asking while others are at work; the caller's thread calls it when it finds no more work.
  void wait_for_others() {
    if (!poll_ || std::this_thread::get_id() != caller_) return;
    std::unique_lock lock(mutex_);
    while (!left_.wait_for(lock, kPause, [&] { return workers_ <= 1; })) {
      lock.unlock();  // `poll` may wait for what a worker holds
      check();
      lock.lock();
    }
  }

  /// Throws what `poll` threw; to be called when all workers have left.
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kPause{100};

  void add(int workers) {
    const std::lock_guard lock(mutex_);
    workers_ += workers;
    left_.notify_all();
  }

  const std::function<void()> poll_;
  const std::thread::id caller_ = std::this_thread::get_id();
  Clock::time_point next_ = Clock::now() + kPause;  // this and the failure are the caller's alone
  std::exception_ptr failure_;
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;
  std::condition_variable left_;
  int workers_ = 0;
};

}  // namespace tunesmith
