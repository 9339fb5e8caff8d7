// Cooperative interruption of multithreaded work: the calling thread polls for a reason to stop.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace tunesmith {

/// Calls `poll` on the thread that constructed it, at most every 100 ms; if `poll` throws, all workers stop.
class Interruption {
 public:
  /// Thrown by `check` in a worker that must stop.
  struct Stopped {};

  explicit Interruption(std::function<void()> poll) : poll_(std::move(poll)) {}

  bool is_possible() const { return static_cast<bool>(poll_); }

  /// Workers call this wherever they can stop.
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

  /// Registers a worker for its lifetime. To be constructed before the worker looks for work.
  class Stay {
   public:
    explicit Stay(Interruption& interruption) : interruption_(interruption) { interruption_.add(1); }
    ~Stay() { interruption_.add(-1); }
    Stay(const Stay&) = delete;
    Stay& operator=(const Stay&) = delete;

   private:
    Interruption& interruption_;
  };

  /// Keeps polling while other workers run; the calling thread calls it once it finds no more work.
  void wait_for_others() {
    if (!poll_ || std::this_thread::get_id() != caller_) return;
    std::unique_lock lock(mutex_);
    while (!left_.wait_for(lock, kPause, [&] { return workers_ <= 1; })) {
      lock.unlock();  // `poll` may block on a resource that a worker holds
      check();
      lock.lock();
    }
  }

  /// Rethrows the exception of `poll`, if any; to be called after all workers have finished.
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
  Clock::time_point next_ = Clock::now() + kPause;  // like failure_, used by the calling thread only
  std::exception_ptr failure_;
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;
  std::condition_variable left_;
  int workers_ = 0;
};

}  // namespace tunesmith
