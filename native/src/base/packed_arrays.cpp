#include "tunesmith/base/packed_arrays.h"

namespace tunesmith {

PackedArrays::PackedArrays(std::initializer_list<std::span<const std::byte>> arrays)
    : size_((1 + arrays.size()) * sizeof(uint64_t)) {
  for (const auto& array : arrays) size_ += array.size();
  bytes_ = std::make_unique_for_overwrite<std::byte[]>(size_);
  std::byte* place = bytes_.get();
  const auto add_size = [&](uint64_t size) {
    std::memcpy(place, &size, sizeof(size));
    place += sizeof(size);
  };
  add_size(arrays.size());
  for (const auto& array : arrays) add_size(array.size());
  for (const auto& array : arrays) {
    if (!array.empty()) std::memcpy(place, array.data(), array.size());
    place += array.size();
  }
}

}  // namespace tunesmith
