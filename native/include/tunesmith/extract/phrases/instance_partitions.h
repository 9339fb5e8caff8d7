// Extracted phrase pairs in partitions by source phrase, in memory or, beyond a limit, in a file.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "tunesmith/base/temporary_file.h"

namespace tunesmith::extract::phrases {

/// A phrase pair as extracted, 20 bytes: 4-byte fields, because millions of them are held.
struct InstanceRecord {
  uint32_t source, target;  // phrases by their numbers
  uint32_t links_high, links_low;
  uint32_t tag;  // fold above 18 bits of orientations

  uint64_t links() const { return uint64_t{links_high} << 32 | links_low; }
  friend auto operator<=>(const InstanceRecord&, const InstanceRecord&) = default;
};

/// Partition i takes the source phrases of numbers from begins[i] to below begins[i + 1]. The file has
/// no name, so it never stays behind.
class InstancePartitions {
 public:
  InstancePartitions(std::vector<uint32_t> begins, uint64_t memory, std::string folder);
  InstancePartitions(const InstancePartitions&) = delete;
  InstancePartitions& operator=(const InstancePartitions&) = delete;

  size_t size() const { return parts_.size(); }
  uint64_t records() const { return records_; }

  /// Collects the records of one thread and hands them over in pieces.
  class Feeder {
   public:
    explicit Feeder(InstancePartitions& partitions) : all_(partitions), pieces_(partitions.size()) {}
    void add(const InstanceRecord& record);
    /// Hands over the rest; without it the rest is lost.
    void finish();

   private:
    InstancePartitions& all_;
    std::vector<std::vector<InstanceRecord>> pieces_;
  };

  /// All records of a partition, in no order; it is empty afterwards.
  std::vector<InstanceRecord> take(size_t part);

 private:
  size_t part_of(uint32_t source) const;
  void append(size_t part, std::vector<InstanceRecord>& piece);
  void spill();  // with the lock held

  struct Run {
    uint64_t begin;  // in the file
    size_t records;
  };
  struct Part {
    std::vector<std::vector<InstanceRecord>> pieces;
    std::vector<Run> on_disk;
  };
  std::vector<uint32_t> begins_;
  uint64_t limit_;  // records in memory
  std::string folder_;
  std::optional<TemporaryFile> file_;
  std::mutex lock_;
  std::vector<Part> parts_;
  uint64_t records_ = 0, held_ = 0;
};

}  // namespace tunesmith::extract::phrases
