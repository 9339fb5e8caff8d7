// A file without a name: it is gone when its owner is, however the process ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tunesmith {

class TemporaryFile {
 public:
  /// Made in `folder`; InputError where that is not possible.
  explicit TemporaryFile(const std::string& folder);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  /// Adds bytes at the end; returns where they begin. InputError where the disk is full.
  uint64_t append(const void* data, size_t bytes);
  void read(uint64_t begin, void* data, size_t bytes) const;

 private:
  std::string folder_;
  int file_ = -1;
  uint64_t size_ = 0;
};

}  // namespace tunesmith
