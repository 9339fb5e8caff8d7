// Non-owning view of an array of strings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tunesmith {

/// Strings as one blob: text i is blob[offsets[i], offsets[i + 1]).
struct Texts {
  std::span<const char> blob;
  std::span<const int64_t> offsets;

  size_t size() const { return offsets.empty() ? 0 : offsets.size() - 1; }
  std::string_view operator[](size_t i) const {
    return {blob.data() + offsets[i], static_cast<size_t>(offsets[i + 1] - offsets[i])};
  }
};

/// Throws InputError unless the offsets go from 0 to `total` without falling; `what` names the array.
void check_offsets(std::span<const int64_t> offsets, size_t total, std::string_view what);

}  // namespace tunesmith
