// Several arrays packed into one relocatable block of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>

#include "tunesmith/base/errors.h"

namespace tunesmith {

/// The block: the number of arrays, the size of each in bytes, then the arrays.
class PackedArrays {
 public:
  PackedArrays() = default;
  explicit PackedArrays(std::initializer_list<std::span<const std::byte>> arrays);

  /// Empty after a move.
  std::span<const std::byte> bytes() const { return {bytes_.get(), bytes_ ? size_ : 0}; }

 private:
  size_t size_ = 0;
  std::unique_ptr<std::byte[]> bytes_;
};

/// The bytes of an array to pack; blocks align arrays to 4 bytes.
template <class T, size_t N>
std::span<const std::byte> bytes_of(std::span<T, N> values) {
  static_assert(alignof(T) == 4);
  return std::as_bytes(values);
}
template <class Values>
std::span<const std::byte> bytes_of(const Values& values) {
  return bytes_of(std::span(values));
}

/// Views the arrays of a block, in order, without copying. The block must be aligned to 4 bytes.
class ArrayReader {
 public:
  explicit ArrayReader(std::span<const std::byte> block) : sizes_(block.data()) {
    if (block.size() < sizeof(uint64_t))
      throw InputError("a block of packed arrays is empty; it was moved away");
    place_ = block.data() + (1 + next_size()) * sizeof(uint64_t);
  }

  template <class T>
  void read(std::span<const T>& array) {
    static_assert(alignof(T) == 4);
    const uint64_t size = next_size();
    array = {reinterpret_cast<const T*>(place_), static_cast<size_t>(size / sizeof(T))};
    place_ += size;
  }

 private:
  uint64_t next_size() {
    uint64_t size;
    std::memcpy(&size, sizes_, sizeof(size));
    sizes_ += sizeof(size);
    return size;
  }

  const std::byte* sizes_;
  const std::byte* place_ = nullptr;
};

}  // namespace tunesmith
