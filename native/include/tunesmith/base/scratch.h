// Bytes that may outgrow memory: kept in it, or in a file that has no name and so never stays behind.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tunesmith {

/// Appended to first, then viewed. Throws InputError, naming the folder, where the disk is full.
class Scratch {
 public:
  Scratch() = default;
  ~Scratch();
  Scratch(Scratch&& other) noexcept;
  Scratch& operator=(Scratch&& other) noexcept;

  /// From now on bytes go to a file in the folder; what is in memory moves there.
  void move_to_disk(const std::string& folder);
  bool on_disk() const { return file_ >= 0; }
  void append(std::string_view bytes);
  size_t size() const { return size_; }
  /// All bytes; a file is mapped. Holds until the next append.
  std::string_view view();
  /// Makes the buffer `bytes` zeros, to be written at random.
  std::span<char> allocate(size_t bytes);
  void clear();

 private:
  void flush();
  void unmap();

  std::vector<char> memory_;  // all of it, or what is yet to be written to the file
  std::string folder_;
  int file_ = -1;
  size_t size_ = 0;
  void* mapping_ = nullptr;
  size_t mapped_ = 0;
};

}  // namespace tunesmith
