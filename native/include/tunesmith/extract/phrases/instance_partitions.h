// Extracted phrase pairs, partitioned by source phrase; spilled to a temporary file beyond a memory limit.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tunesmith/base/temporary_file.h"

namespace tunesmith::extract::phrases {

/// An extracted phrase pair in 20 bytes: 4-byte fields avoid padding, since there are millions of records.
struct InstanceRecord {
  uint32_t source, target;  // phrase numbers
  uint32_t links_high, links_low;
  uint32_t tag;  // fold << 18 | orientations

  uint64_t links() const { return uint64_t{links_high} << 32 | links_low; }
  friend auto operator<=>(const InstanceRecord&, const InstanceRecord&) = default;
};

/// A phrase pair that several alignments of a sentence pair have in common.
struct RepeatedRecord : InstanceRecord {
  uint32_t times;

  friend auto operator<=>(const RepeatedRecord&, const RepeatedRecord&) = default;
};

/// An extracted phrase pair of a weighted sentence pair: its sentence comes last, so that equal pairs are
/// neighbors once sorted.
struct WeightedRecord : InstanceRecord {
  uint32_t sentence;

  friend auto operator<=>(const WeightedRecord&, const WeightedRecord&) = default;
};

/// Partition i holds the source phrases [begins[i], begins[i + 1]). The file has no name, so it is never left
/// behind.
template <class Record>
class InstancePartitions {
 public:
  InstancePartitions(std::vector<uint32_t> begins, uint64_t memory, std::string folder);
  InstancePartitions(const InstancePartitions&) = delete;
  InstancePartitions& operator=(const InstancePartitions&) = delete;

  size_t size() const { return parts_.size(); }
  uint64_t records() const { return records_; }

  /// Buffers the records of one thread.
  class Feeder {
   public:
    explicit Feeder(InstancePartitions& partitions) : all_(partitions), pieces_(partitions.size()) {}
    void add(const Record& record);
    /// Flushes the buffers; without it their records are lost.
    void finish();

   private:
    InstancePartitions& all_;
    std::vector<std::vector<Record>> pieces_;
  };

  /// Moves all records of a partition out, in no particular order.
  std::vector<Record> take(size_t part);

 private:
  size_t part_of(uint32_t source) const;
  void append(size_t part, std::vector<Record>& piece);
  void spill();  // with the lock held

  struct Run {
    uint64_t begin;  // byte offset in the file
    size_t records;
  };
  struct Part {
    std::vector<std::vector<Record>> pieces;
    std::vector<Run> on_disk;
  };
  std::vector<uint32_t> begins_;
  uint64_t limit_;  // of records in memory
  std::string folder_;
  std::optional<TemporaryFile> file_;
  std::mutex lock_;
  std::vector<Part> parts_;
  uint64_t records_ = 0, held_ = 0;
};

extern template class InstancePartitions<InstanceRecord>;
extern template class InstancePartitions<RepeatedRecord>;
extern template class InstancePartitions<WeightedRecord>;

}  // namespace tunesmith::extract::phrases
