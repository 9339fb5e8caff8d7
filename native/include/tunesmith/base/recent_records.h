// Records of a stream stored about once each: repetitions are found by a cache of recent records.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/text.h"

namespace tunesmith {

/// Numbers records in order of their addition; equality is bytewise. Equal records have the same number if
/// they come soon after one another; else they may be stored again. O(1), with a table of a fixed size; a
/// SequencePool finds all repetitions, by a table that grows with them.
template <class Record>
class RecentRecords {
 public:
  static_assert(std::is_trivially_copyable_v<Record>);
  static constexpr size_t kRecent = size_t{1} << 19;

  uint32_t number(const Record& record) {
    Slot& slot = slots_[hash(record) % kRecent];
    if (slot.number != kNone && std::memcmp(&slot.record, &record, sizeof(Record)) == 0) return slot.number;
    if (records_.size() >= kNone) throw InputError("too many records: a table holds fewer than 2^32 - 1");
    slot = {record, static_cast<uint32_t>(records_.size())};
    records_.push_back(record);
    return slot.number;
  }
  std::span<const Record> records() const { return records_; }

 private:
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  struct Slot {
    Record record{};
    uint32_t number = kNone;
  };

  static uint64_t hash(const Record& record) {
    return hash_bytes({reinterpret_cast<const char*>(&record), sizeof(Record)});
  }

  std::vector<Record> records_;
  std::vector<Slot> slots_ = std::vector<Slot>(kRecent);
};

}  // namespace tunesmith
