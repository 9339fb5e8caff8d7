// Numbered blocks of bytes, held in memory up to a limit and spilled to disk beyond it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tunesmith/base/packed_arrays.h"
#include "tunesmith/base/temporary_file.h"

namespace tunesmith {

/// Blocks that would exceed the memory limit are written to an unnamed file in `folder` and read on demand.
/// Several threads may read at once.
class BlockStore {
 public:
  BlockStore(uint64_t memory_limit, std::string folder);

  void add(PackedArrays block);

  size_t size() const { return places_.size(); }
  uint64_t bytes() const { return bytes_; }
  uint64_t bytes_on_disk() const { return spilled_; }

  /// The bytes of a block; one on disk is read into `buffer`.
  std::span<const std::byte> read(size_t number, std::vector<std::byte>& buffer) const;

 private:
  struct OnDisk {
    uint64_t begin;
    uint64_t size;
  };

  uint64_t memory_limit_;
  std::string folder_;
  std::vector<std::variant<PackedArrays, OnDisk>> places_;
  std::unique_ptr<TemporaryFile> file_;
  uint64_t bytes_ = 0, spilled_ = 0;
};

}  // namespace tunesmith
