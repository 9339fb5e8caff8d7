// External merge sort of fixed-size records.
#pragma once

#include <algorithm>
#include <deque>
#include <future>
#include <memory>
#include <vector>

#include "tunesmith/base/merge_reader.h"
#include "tunesmith/base/radix_sort.h"

namespace tunesmith {

/// Sorts records by `key`; records with equal keys are combined by `absorb` if the type has it. Full chunks
/// are sorted on other threads; once the budget is used up, they are merged into runs in a file. The result
/// does not depend on threads or budget, provided `absorb` is commutative and associative.
template <class Record>
class ExternalSort {
 public:
  explicit ExternalSort(const RecordSpace& space) : space_(space), limit_(space.chunk_records<Record>()) {}

  void add(const Record& record) {
    if (chunk_.empty()) chunk_.reserve(limit_);
    chunk_.push_back(record);
    if (chunk_.size() == limit_) close_chunk();
  }

  void finish() {
    if (!chunk_.empty()) close_chunk();
    while (!sorting_.empty()) keep_oldest();
    while (runs_.size() - in_memory() > kFanIn) join_file_runs();
  }

  /// Releases memory and file.
  void clear() {
    runs_.clear();
    file_.reset();
  }

  /// To be called after `finish`, any number of times.
  MergeReader<Record> read() const { return MergeReader<Record>(runs_, limit_ / 4 + 1); }

 private:
  static constexpr size_t kFanIn = 64;

  static std::vector<Record> sorted(std::vector<Record> chunk) {
    radix_sort(chunk);
    if constexpr (requires(Record a) { a.absorb(a); }) {
      auto last = chunk.begin();
      for (auto record = chunk.begin() + 1; record < chunk.end(); ++record)
        if (record->key == last->key)
          last->absorb(*record);
        else
          *++last = *record;
      chunk.erase(last + 1, chunk.end());
    }
    if (chunk.size() < chunk.capacity() / 4 * 3) chunk.shrink_to_fit();
    return chunk;
  }

  void close_chunk() {
    if (space_.threads <= 1) {
      keep(sorted(std::move(chunk_)));
    } else {
      if (sorting_.size() >= static_cast<size_t>(space_.threads)) keep_oldest();
      sorting_.push_back(std::async(std::launch::async, sorted, std::move(chunk_)));
    }
    chunk_ = {};
  }

  void keep_oldest() {
    auto done = std::move(sorting_.front());
    sorting_.pop_front();
    keep(done.get());
  }

  void keep(std::vector<Record>&& chunk) {
    if (space_.budget.take(chunk.capacity() * sizeof(Record))) {
      runs_.emplace_back(std::move(chunk), &space_.budget);
      return;
    }
    std::vector<Run<Record>> together = take_runs(true, runs_.size());
    together.emplace_back(std::move(chunk), nullptr);
    write_run(together);
  }

  size_t in_memory() const {
    return static_cast<size_t>(
        std::count_if(runs_.begin(), runs_.end(), [](const auto& run) { return run.in_memory(); }));
  }

  void join_file_runs() { write_run(take_runs(false, kFanIn)); }

  /// Removes and returns the first `most` runs that are in memory, or in the file.
  std::vector<Run<Record>> take_runs(bool from_memory, size_t most) {
    std::vector<Run<Record>> taken, left;
    for (auto& run : runs_)
      (run.in_memory() == from_memory && taken.size() < most ? taken : left).push_back(std::move(run));
    runs_ = std::move(left);
    return taken;
  }

  void write_run(const std::vector<Run<Record>>& runs) {
    if (file_ == nullptr) file_ = std::make_unique<TemporaryFile>(space_.folder);
    MergeReader<Record> reader(runs, limit_ / 4 + 1);
    std::vector<Record> buffer;
    buffer.reserve(limit_);
    uint64_t begin = 0, size = 0;
    auto flush = [&] {
      const uint64_t at = file_->append(buffer.data(), buffer.size() * sizeof(Record));
      if (size == 0) begin = at;
      size += buffer.size();
      buffer.clear();
    };
    for (Record record; reader.next(record);) {
      buffer.push_back(record);
      if (buffer.size() == limit_) flush();
    }
    flush();
    runs_.emplace_back(*file_, begin, size);
  }

  RecordSpace space_;
  size_t limit_;
  std::vector<Record> chunk_;
  std::deque<std::future<std::vector<Record>>> sorting_;
  std::unique_ptr<TemporaryFile> file_;
  std::vector<Run<Record>> runs_;
};

}  // namespace tunesmith
