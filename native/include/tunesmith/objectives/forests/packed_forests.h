// Compiled forests: each is one block of bytes, and a corpus of them is in memory as far as it fits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tunesmith/base/block_store.h"
#include "tunesmith/base/packed_arrays.h"

namespace tunesmith::objectives::forests {

/// The block of a compiled forest, until a corpus takes it. `View` reads its arrays wherever the block is,
/// and is itself a `Hypergraph`; it throws InputError if the block was taken.
template <class View>
struct PackedForest {
  PackedArrays arrays;

  View view() const { return View(arrays.bytes()); }
};

/// The compiled forests of a corpus by sentence, stored as by `BlockStore`. Threads may read.
template <class View>
class PackedForests {
 public:
  /// Forests beyond `memory_limit` bytes go to a temporary file in `folder`.
  PackedForests(uint64_t memory_limit, std::string folder) : blocks_(memory_limit, std::move(folder)) {}

  size_t size() const { return blocks_.size(); }
  uint64_t edge_count() const { return edges_; }
  uint64_t bytes() const { return blocks_.bytes(); }
  uint64_t bytes_on_disk() const { return blocks_.bytes_on_disk(); }

  /// The forest of a sentence; one on disk is read into `buffer`, which must outlive the view.
  View read(size_t number, std::vector<std::byte>& buffer) const {
    return View(blocks_.read(number, buffer));
  }

 protected:
  void store(PackedForest<View> forest) {
    edges_ += forest.view().edge_count();
    blocks_.add(std::move(forest.arrays));
  }

 private:
  BlockStore blocks_;
  uint64_t edges_ = 0;
};

}  // namespace tunesmith::objectives::forests
