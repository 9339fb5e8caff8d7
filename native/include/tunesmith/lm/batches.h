// Batches of n-grams, passed from the thread that computes them to the thread that writes them.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "tunesmith/lm/sink.h"

namespace tunesmith::lm {

/// N-grams of one order.
struct NgramBatch {
  int order = 0;
  std::vector<int32_t> words;  // `order` words per n-gram
  std::vector<float> log10_probabilities;
  std::vector<float> log10_backoffs;
};

/// Bounded queue of batches between one producer and one consumer.
class NgramQueue {
 public:
  /// Blocks until there is room; false if the queue is closed.
  bool push(NgramBatch&& batch) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return batches_.size() < kMost || closed_; });
    if (closed_) return false;
    batches_.push_back(std::move(batch));
    changed_.notify_all();
    return true;
  }
  /// Blocks until there is a batch; none once the queue is closed and empty.
  std::optional<NgramBatch> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !batches_.empty() || closed_; });
    if (batches_.empty()) return std::nullopt;
    NgramBatch batch = std::move(batches_.front());
    batches_.pop_front();
    changed_.notify_all();
    return batch;
  }
  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }

 private:
  static constexpr size_t kMost = 4;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<NgramBatch> batches_;
  bool closed_ = false;
};

/// A sink that collects batches and passes each to `deliver(batch)`.
template <class Deliver>
class BatchingSink : public NgramSink {
 public:
  explicit BatchingSink(Deliver deliver) : deliver_(deliver) {}

  void begin(const Texts&, std::span<const uint64_t>) override {}
  void add(std::span<const int32_t> words, float log10_probability, float log10_backoff) override {
    const int order = static_cast<int>(words.size());
    if (batch_.order != order || batch_.log10_probabilities.size() == kNgrams) start(order);
    batch_.words.insert(batch_.words.end(), words.begin(), words.end());
    batch_.log10_probabilities.push_back(log10_probability);
    batch_.log10_backoffs.push_back(log10_backoff);
  }
  void end() override { start(0); }

 private:
  static constexpr size_t kNgrams = 1 << 14;

  void start(int order) {
    if (!batch_.log10_probabilities.empty()) deliver_(std::move(batch_));
    batch_ = {};
    batch_.order = order;
  }

  Deliver deliver_;
  NgramBatch batch_;
};

/// Runs produce(sink) on another thread and adds its n-grams to `sink` on this one. The caller calls `begin`
/// and `end`. An exception on either side ends both and is rethrown here.
template <class Produce>
void add_from_thread(NgramSink& sink, Produce produce) {
  struct ConsumerLeft {};
  NgramQueue queue;
  std::exception_ptr failure;
  {
    std::jthread producer([&] {
      try {
        BatchingSink batching([&](NgramBatch&& batch) {
          if (!queue.push(std::move(batch))) throw ConsumerLeft();
        });
        produce(batching);
        batching.end();
      } catch (const ConsumerLeft&) {
      } catch (...) {
        failure = std::current_exception();
      }
      queue.close();
    });
    try {
      while (const auto batch = queue.pop()) {
        const auto order = static_cast<size_t>(batch->order);
        const std::span<const int32_t> words(batch->words);
        for (size_t i = 0; i < batch->log10_probabilities.size(); ++i)
          sink.add(words.subspan(i * order, order), batch->log10_probabilities[i], batch->log10_backoffs[i]);
      }
    } catch (...) {
      queue.close();
      throw;
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tunesmith::lm
