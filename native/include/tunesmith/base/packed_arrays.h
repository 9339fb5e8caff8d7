// Several arrays in one block of bytes, which can be read wherever it lies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>

#include "tunesmith/base/errors.h"

namespace tunesmith {

/// The block: how many bytes each array has, and the arrays, one after another.
class PackedArrays {
 public:
  PackedArrays() = default;
  explicit PackedArrays(std::initializer_list<std::span<const std::byte>> arrays);

  /// Nothing, once it was moved from.
  std::span<const std::byte> bytes() const { return {bytes_.get(), bytes_ ? size_ : 0}; }

 private:
  size_t size_ = 0;
  std::unique_ptr<std::byte[]> bytes_;
};

/// An array of a block; blocks align their arrays to 4 bytes.
template <class T, size_t N>
std::span<const std::byte> bytes_of(std::span<T, N> values) {
  static_assert(alignof(T) == 4);
  return std::as_bytes(values);
}
template <class Values>
std::span<const std::byte> bytes_of(const Values& values) {
  return bytes_of(std::span(values));
}

/// Gives the arrays of a block back, in their order. The block is aligned to 4; nothing is copied.
class ArrayReader {
 public:
  explicit ArrayReader(std::span<const std::byte> block) : sizes_(block.data()) {
    if (block.size() < sizeof(uint64_t)) throw InputError("a block has no bytes; it was given away");
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
