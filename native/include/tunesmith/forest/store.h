// Forests that a learner reads in every iteration, in memory as far as they fit.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "tunesmith/forest/file.h"
#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// Forests by number, with the columns of their features among `width` weights. Forests of a file that would
/// exceed the memory limit are decompressed on every access. Threads may read.
class ForestStore {
 public:
  /// Without a file (null) all forests are held in memory.
  ForestStore(size_t width, uint64_t memory_limit, std::shared_ptr<const ForestFile> file);

  /// Feature c of the forest has the weight columns[c]. With a file, its forests must be added in order.
  /// Throws InputError for an empty forest, and for invalid columns.
  void add(std::shared_ptr<const Forest> forest, std::span<const int64_t> columns);

  size_t size() const { return held_.size(); }
  /// Edges of forest i are numbered [edge_offsets()[i], edge_offsets()[i + 1]) among those of all forests.
  const std::vector<size_t>& edge_offsets() const { return edge_offsets_; }
  size_t edge_count() const { return edge_offsets_.back(); }
  /// Size of the arrays of all forests, and of those not held in memory.
  uint64_t bytes() const { return bytes_; }
  uint64_t bytes_on_disk() const { return bytes_ - held_bytes_; }

  std::shared_ptr<const Forest> operator[](size_t number) const;

  /// A weight vector permuted into the feature order of each forest; forests that share names share a copy.
  class NamedWeights {
   public:
    /// Throws InputError unless there is one finite weight per column.
    NamedWeights(const ForestStore& store, std::span<const double> weights);
    const std::vector<double>& operator[](size_t number) const { return of_names_[store_.names_of_[number]]; }

   private:
    const ForestStore& store_;
    std::vector<std::vector<double>> of_names_;
  };

 private:
  void add_columns(const Forest& forest, std::span<const int64_t> columns);

  size_t width_;
  uint64_t memory_limit_;
  std::shared_ptr<const ForestFile> file_;
  std::vector<std::shared_ptr<const Forest>> held_;  // null if only in the file
  std::vector<size_t> edge_offsets_{0};
  uint64_t bytes_ = 0, held_bytes_ = 0;
  std::map<std::shared_ptr<const ForestNames>, size_t> known_names_;
  std::vector<size_t> names_of_;                // of each forest, an index into columns_
  std::vector<std::vector<uint32_t>> columns_;  // of forests that share names
};

}  // namespace tunesmith::forest
