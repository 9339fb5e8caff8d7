// Unnamed temporary file, which the system removes however the process ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace tunesmith {

class TemporaryFile {
 public:
  /// Creates the file in `folder`; failure is an InputError.
  explicit TemporaryFile(const std::string& folder);
  ~TemporaryFile();
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  /// Appends bytes and returns their offset. A full disk is an InputError.
  uint64_t append(const void* data, size_t bytes);
  void read(uint64_t begin, void* data, size_t bytes) const;

 private:
  std::string folder_;
  int file_ = -1;
  uint64_t size_ = 0;
};

}  // namespace tunesmith
