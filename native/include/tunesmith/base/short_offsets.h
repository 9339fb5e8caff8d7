// Offsets of short sequences that are stored one after the other: a byte each, and a start for every 16th.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/errors.h"

namespace tunesmith {

/// Where sequences of at most 255 elements begin and end: 1.5 bytes each, O(16). A view of two arrays.
class ShortOffsets {
 public:
  static constexpr size_t kStride = 16;

  /// Collects the two arrays.
  struct Writer {
    std::vector<uint8_t> lengths;
    std::vector<uint64_t> starts;  // of sequences 0, kStride, 2 kStride, ...
    uint64_t total = 0;

    void add(size_t length) {
      if (length > 255) throw InputError("a sequence is too long: expected at most 255 elements");
      if (lengths.size() % kStride == 0) starts.push_back(total);
      lengths.push_back(static_cast<uint8_t>(length));
      total += length;
    }
  };

  ShortOffsets() = default;
  /// Throws InputError if the starts do not follow from the lengths, or if these do not sum to `total`.
  ShortOffsets(std::span<const uint8_t> lengths, std::span<const uint64_t> starts, uint64_t total)
      : lengths_(lengths), starts_(starts) {
    uint64_t sum = 0;
    bool valid = starts.size() == (lengths.size() + kStride - 1) / kStride;
    for (size_t i = 0; valid && i < lengths.size(); ++i) {
      if (i % kStride == 0) valid = starts[i / kStride] == sum;
      sum += lengths[i];
    }
    if (!valid || sum != total) throw InputError("offsets do not fit the sequences they are of");
  }

  size_t size() const { return lengths_.size(); }
  size_t length(size_t i) const { return lengths_[i]; }
  size_t begin(size_t i) const {
    const size_t first = i / kStride * kStride;
    size_t at = starts_[i / kStride];
    for (size_t k = first; k < i; ++k) at += lengths_[k];
    return at;
  }

 private:
  std::span<const uint8_t> lengths_;
  std::span<const uint64_t> starts_;
};

}  // namespace tunesmith
