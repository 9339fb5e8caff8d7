#include "tunesmith/instance_partitions.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "tunesmith/errors.h"

namespace tunesmith {

namespace {

constexpr size_t kPiece = 1024;  // records that a thread collects a partition

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void fail(const char* what, const std::string& file) {
  throw InputError(std::string("cannot ") + what + " the temporary file " + file + ": " +
                   std::strerror(errno));
}

}  // namespace

InstancePartitions::InstancePartitions(std::vector<uint32_t> begins, uint64_t memory, std::string folder)
    : begins_(std::move(begins)),
      limit_(std::max<uint64_t>(memory / sizeof(InstanceRecord), kPiece)),
      folder_(std::move(folder)),
      parts_(begins_.size()) {}

InstancePartitions::~InstancePartitions() {
  for (size_t part = 0; part < parts_.size(); ++part)
    if (parts_[part].on_disk > 0) std::remove(file(part).c_str());
}

size_t InstancePartitions::part_of(uint32_t source) const {
  return static_cast<size_t>(std::upper_bound(begins_.begin(), begins_.end(), source) - begins_.begin()) - 1;
}

std::string InstancePartitions::file(size_t part) const {
  return folder_ + "/phrases." + std::to_string(part);
}

void InstancePartitions::Feeder::add(const InstanceRecord& record) {
  const size_t part = all_.part_of(record.source);
  if (pieces_[part].empty()) pieces_[part].reserve(kPiece);
  pieces_[part].push_back(record);
  if (pieces_[part].size() == kPiece) all_.append(part, pieces_[part]);
}

void InstancePartitions::Feeder::finish() {
  for (size_t part = 0; part < pieces_.size(); ++part) {
    pieces_[part].shrink_to_fit();
    all_.append(part, pieces_[part]);
  }
}

void InstancePartitions::append(size_t part, std::vector<InstanceRecord>& piece) {
  if (piece.empty()) return;
  const std::lock_guard guard(lock_);
  records_ += piece.size();
  held_ += piece.size();
  parts_[part].pieces.push_back(std::move(piece));
  piece = {};
  if (held_ > limit_) spill();
}

void InstancePartitions::spill() {
  for (size_t part = 0; part < parts_.size(); ++part) {
    if (parts_[part].pieces.empty()) continue;
    const File stream(std::fopen(file(part).c_str(), "ab"));
    if (!stream) fail("open", file(part));
    for (const auto& piece : parts_[part].pieces) {
      parts_[part].on_disk += piece.size();  // first, so that the file is removed if writing fails
      if (std::fwrite(piece.data(), sizeof(InstanceRecord), piece.size(), stream.get()) != piece.size())
        fail("write", file(part));
    }
    if (std::fflush(stream.get()) != 0) fail("write", file(part));
    parts_[part].pieces = {};
  }
  held_ = 0;
}

std::vector<InstanceRecord> InstancePartitions::take(size_t part) {
  std::vector<InstanceRecord> records(parts_[part].on_disk);
  if (!records.empty()) {
    const File stream(std::fopen(file(part).c_str(), "rb"));
    if (!stream) fail("open", file(part));
    if (std::fread(records.data(), sizeof(InstanceRecord), records.size(), stream.get()) != records.size())
      fail("read", file(part));
    std::remove(file(part).c_str());
    parts_[part].on_disk = 0;
  }
  for (auto& piece : parts_[part].pieces) records.insert(records.end(), piece.begin(), piece.end());
  parts_[part].pieces = {};
  return records;
}

}  // namespace tunesmith
