// Sequences of records, held in memory within a shared budget and spilled to a file beyond it.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tunesmith/base/temporary_file.h"

namespace tunesmith {

/// Number of bytes that several containers of records share.
class MemoryBudget {
 public:
  explicit MemoryBudget(size_t bytes) : left_(bytes) {}

  bool take(size_t bytes) {
    size_t left = left_.load();
    while (left >= bytes)
      if (left_.compare_exchange_weak(left, left - bytes)) return true;
    return false;
  }
  void give(size_t bytes) { left_ += bytes; }

 private:
  std::atomic<size_t> left_;
};

/// Resources of a container of records: memory, a folder to spill to, threads.
struct RecordSpace {
  MemoryBudget& budget;
  std::string folder;
  size_t chunk_bytes;  // the unit in which records are sorted, stored and read
  int threads = 1;

  template <class Record>
  size_t chunk_records() const {
    return std::max<size_t>(16, chunk_bytes / sizeof(Record));
  }
};

/// An immutable sequence of records, in memory or in a file.
template <class Record>
class Run {
 public:
  /// In memory taken from `budget`, and returned to it on destruction; null for a temporary run.
  Run(std::vector<Record>&& records, MemoryBudget* budget) : records_(std::move(records)), budget_(budget) {}
  Run(const TemporaryFile& file, uint64_t begin, uint64_t size) : file_(&file), begin_(begin), size_(size) {}
  Run(Run&& other) noexcept { *this = std::move(other); }
  Run& operator=(Run&& other) noexcept {
    std::swap(records_, other.records_);
    std::swap(budget_, other.budget_);
    std::swap(file_, other.file_);
    std::swap(begin_, other.begin_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Run() {
    if (budget_ != nullptr) budget_->give(records_.capacity() * sizeof(Record));
  }

  bool in_memory() const { return file_ == nullptr; }

 private:
  template <class>
  friend class RunReader;

  std::vector<Record> records_;
  MemoryBudget* budget_ = nullptr;
  const TemporaryFile* file_ = nullptr;
  uint64_t begin_ = 0, size_ = 0;
};

/// Reads a run once; runs in a file are buffered.
template <class Record>
class RunReader {
 public:
  RunReader(const Run<Record>& run, size_t buffer_records) : file_(run.file_) {
    if (file_ == nullptr) {
      at_ = run.records_.data();
      end_ = at_ + run.records_.size();
    } else {
      next_ = run.begin_;
      left_ = run.size_;
      buffer_.resize(std::min<uint64_t>(buffer_records, left_));
      refill();
    }
  }

  /// The next record, null at the end; valid until `advance`.
  const Record* head() const { return at_ == end_ ? nullptr : at_; }
  void advance() {
    if (++at_ == end_ && left_ > 0) refill();
  }

 private:
  void refill() {
    const size_t count = std::min<uint64_t>(buffer_.size(), left_);
    file_->read(next_, buffer_.data(), count * sizeof(Record));
    next_ += count * sizeof(Record);
    left_ -= count;
    at_ = buffer_.data();
    end_ = at_ + count;
  }

  const TemporaryFile* file_;
  uint64_t next_ = 0, left_ = 0;
  std::vector<Record> buffer_;
  const Record* at_ = nullptr;
  const Record* end_ = nullptr;
};

/// Records in the order of insertion.
template <class Record>
class Spool {
 public:
  explicit Spool(const RecordSpace& space) : space_(space), limit_(space.chunk_records<Record>()) {}

  void add(const Record& record) {
    if (chunk_.empty()) chunk_.reserve(limit_);
    chunk_.push_back(record);
    if (chunk_.size() == limit_) close_chunk();
  }
  void finish() {
    chunk_.shrink_to_fit();
    if (!chunk_.empty()) close_chunk();
  }

  class Reader {
   public:
    explicit Reader(const Spool& spool) : spool_(&spool) { open_run(); }
    const Record* head() const { return reader_ == nullptr ? nullptr : reader_->head(); }
    void advance() {
      reader_->advance();
      if (reader_->head() == nullptr) open_run();
    }

   private:
    void open_run() {
      reader_ = next_ == spool_->runs_.size()
                    ? nullptr
                    : std::make_unique<RunReader<Record>>(spool_->runs_[next_], spool_->limit_);
      ++next_;
    }

    const Spool* spool_;
    size_t next_ = 0;
    std::unique_ptr<RunReader<Record>> reader_;
  };

 private:
  void close_chunk() {
    const size_t bytes = chunk_.capacity() * sizeof(Record);
    if (space_.budget.take(bytes)) {
      runs_.emplace_back(std::move(chunk_), &space_.budget);
    } else {
      if (file_ == nullptr) file_ = std::make_unique<TemporaryFile>(space_.folder);
      const uint64_t begin = file_->append(chunk_.data(), chunk_.size() * sizeof(Record));
      runs_.emplace_back(*file_, begin, chunk_.size());
    }
    chunk_ = {};
  }

  RecordSpace space_;
  size_t limit_;
  std::vector<Record> chunk_;
  std::unique_ptr<TemporaryFile> file_;
  std::vector<Run<Record>> runs_;
};

}  // namespace tunesmith
