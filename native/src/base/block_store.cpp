#include "tunesmith/base/block_store.h"

#include <utility>

namespace tunesmith {

BlockStore::BlockStore(uint64_t memory_limit, std::string folder)
    : memory_limit_(memory_limit), folder_(std::move(folder)) {}

void BlockStore::add(PackedArrays block) {
  const auto bytes = block.bytes();
  const uint64_t size = bytes.size();
  if (bytes_ - spilled_ + size <= memory_limit_) {
    places_.emplace_back(std::move(block));
  } else {
    if (!file_) file_ = std::make_unique<TemporaryFile>(folder_);
    places_.emplace_back(OnDisk{file_->append(bytes.data(), size), size});
    spilled_ += size;
  }
  bytes_ += size;
}

std::span<const std::byte> BlockStore::read(size_t number, std::vector<std::byte>& buffer) const {
  if (const auto* held = std::get_if<PackedArrays>(&places_[number])) return held->bytes();
  const OnDisk& place = std::get<OnDisk>(places_[number]);
  buffer.resize(place.size);
  file_->read(place.begin, buffer.data(), place.size);
  return buffer;
}

}  // namespace tunesmith
