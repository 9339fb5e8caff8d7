// Variable-length integers: seven bits per byte, lowest first (LEB128), and zigzag coding of signed ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/errors.h"

namespace tunesmith {

/// Maps integers of small absolute value to small unsigned ones: 0, -1, 1, -2, ... to 0, 1, 2, 3, ...
inline uint64_t to_zigzag(int64_t value) {
  return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
}
inline int64_t from_zigzag(uint64_t value) {
  return static_cast<int64_t>(value >> 1) ^ -static_cast<int64_t>(value & 1);
}

inline void append_varint(uint64_t value, std::vector<uint8_t>& out) {
  for (; value >= 0x80; value >>= 7) out.push_back(static_cast<uint8_t>(value | 0x80));
  out.push_back(static_cast<uint8_t>(value));
}

/// Reads what `append_varint` wrote; truncated input is an InputError.
class VarintReader {
 public:
  explicit VarintReader(std::span<const uint8_t> bytes) : at_(bytes.data()), end_(at_ + bytes.size()) {}

  size_t left() const { return static_cast<size_t>(end_ - at_); }
  uint64_t next() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ == end_) throw InputError("a block of numbers ends too early");
      const uint8_t byte = *at_++;
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    throw InputError("a block of numbers holds one that is too large");
  }
  int64_t next_signed() { return from_zigzag(next()); }
  /// A difference of two 32-bit numbers, safe to add to one; a larger value is an InputError.
  int64_t next_difference() {
    const int64_t difference = next_signed();
    if (difference < -(int64_t{1} << 32) || difference > int64_t{1} << 32)
      throw InputError("a block of numbers holds a difference that is too large");
    return difference;
  }
  std::span<const uint8_t> take(uint64_t bytes) {
    if (bytes > left()) throw InputError("a block of bytes ends too early");
    at_ += bytes;
    return {at_ - bytes, at_};
  }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

}  // namespace tunesmith
