// Incremental 64-bit checksum of a byte stream.
#pragma once

#include <cstdint>
#include <cstring>

#include "tunesmith/base/text.h"

namespace tunesmith {

/// Mixes eight bytes at a time; the result does not depend on how the stream is split into updates. Detects
/// accidental damage; not cryptographic.
class Checksum {
 public:
  void update(const void* data, size_t bytes) {
    const auto* at = static_cast<const char*>(data);
    total_ += bytes;
    while (bytes > 0) {
      if (pending_ == 0 && bytes >= 8) {
        uint64_t word;
        std::memcpy(&word, at, 8);
        hash_ = mix(hash_, word);
        at += 8;
        bytes -= 8;
      } else {
        word_ |= uint64_t{static_cast<unsigned char>(*at)} << (8 * pending_);
        ++at;
        --bytes;
        if (++pending_ == 8) {
          hash_ = mix(hash_, word_);
          word_ = 0;
          pending_ = 0;
        }
      }
    }
  }

  uint64_t value() const { return mix(pending_ == 0 ? hash_ : mix(hash_, word_), total_); }

 private:
  uint64_t hash_ = 0;
  uint64_t word_ = 0;
  uint64_t total_ = 0;
  unsigned pending_ = 0;
};

}  // namespace tunesmith
