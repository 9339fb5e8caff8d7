#include "tunesmith/extract/phrases/instance_partitions.h"

#include <algorithm>

namespace tunesmith::extract::phrases {

namespace {

constexpr size_t kPiece = 1024;  // records that a thread buffers per partition

}  // namespace

template <class Record>
InstancePartitions<Record>::InstancePartitions(std::vector<uint32_t> begins, uint64_t memory,
                                               std::string folder)
    : begins_(std::move(begins)),
      limit_(std::max<uint64_t>(memory / sizeof(Record), kPiece)),
      folder_(std::move(folder)),
      parts_(begins_.size()) {}

template <class Record>
size_t InstancePartitions<Record>::part_of(uint32_t source) const {
  return static_cast<size_t>(std::upper_bound(begins_.begin(), begins_.end(), source) - begins_.begin()) - 1;
}

template <class Record>
void InstancePartitions<Record>::Feeder::add(const Record& record) {
  const size_t part = all_.part_of(record.source);
  if (pieces_[part].empty()) pieces_[part].reserve(kPiece);
  pieces_[part].push_back(record);
  if (pieces_[part].size() == kPiece) all_.append(part, pieces_[part]);
}

template <class Record>
void InstancePartitions<Record>::Feeder::finish() {
  for (size_t part = 0; part < pieces_.size(); ++part) {
    pieces_[part].shrink_to_fit();
    all_.append(part, pieces_[part]);
  }
}

template <class Record>
void InstancePartitions<Record>::append(size_t part, std::vector<Record>& piece) {
  if (piece.empty()) return;
  const std::lock_guard guard(lock_);
  records_ += piece.size();
  held_ += piece.size();
  parts_[part].pieces.push_back(std::move(piece));
  piece = {};
  if (held_ > limit_) spill();
}

template <class Record>
void InstancePartitions<Record>::spill() {
  if (!file_) file_.emplace(folder_);
  for (Part& part : parts_) {
    for (const auto& piece : part.pieces)
      part.on_disk.push_back({file_->append(piece.data(), piece.size() * sizeof(Record)), piece.size()});
    part.pieces = {};
  }
  held_ = 0;
}

template <class Record>
std::vector<Record> InstancePartitions<Record>::take(size_t part) {
  Part& taken = parts_[part];
  size_t size = 0;
  for (const Run& run : taken.on_disk) size += run.records;
  for (const auto& piece : taken.pieces) size += piece.size();
  std::vector<Record> records(size);
  Record* at = records.data();
  for (const Run& run : taken.on_disk) {
    file_->read(run.begin, at, run.records * sizeof(Record));
    at += run.records;
  }
  for (const auto& piece : taken.pieces) at = std::copy(piece.begin(), piece.end(), at);
  taken = {};
  return records;
}

template class InstancePartitions<InstanceRecord>;
template class InstancePartitions<RepeatedRecord>;
template class InstancePartitions<WeightedRecord>;

}  // namespace tunesmith::extract::phrases
