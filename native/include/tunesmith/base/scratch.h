// Byte buffer in memory or in an unnamed temporary file, which cannot be left behind.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tunesmith {

/// Appended to first, then viewed. A full disk is an InputError that names the folder.
class Scratch {
 public:
  Scratch() = default;
  ~Scratch();
  Scratch(Scratch&& other) noexcept;
  Scratch& operator=(Scratch&& other) noexcept;

  /// Moves the buffer to a file in the folder; later bytes go there too.
  void move_to_disk(const std::string& folder);
  bool on_disk() const { return file_ >= 0; }
  void append(std::string_view bytes);
  size_t size() const { return size_; }
  /// All bytes; a file is mapped. Valid until the next append.
  std::string_view view();
  /// Makes the buffer `bytes` zeros, for random access.
  std::span<char> allocate(size_t bytes);
  void clear();

 private:
  void flush();
  void unmap();

  std::vector<char> memory_;  // all bytes, or those not yet written to the file
  std::string folder_;
  int file_ = -1;
  size_t size_ = 0;
  void* mapping_ = nullptr;
  size_t mapped_ = 0;
};

}  // namespace tunesmith
