// Forests that a learner comes back to, in memory as far as they fit.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "tunesmith/forest/file.h"
#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// Forests in their order, with the columns of their features among `width` weights. Those of a file that
/// would bring what is held beyond the memory limit are decompressed anew each time they are asked for.
/// Threads may read.
class ForestStore {
 public:
  /// Without a file (null) all forests are held.
  ForestStore(size_t width, uint64_t memory_limit, std::shared_ptr<const ForestFile> file);

  /// Column c of the forest is the feature columns[c]. If there is a file, forest i of it comes as the i-th.
  /// Throws InputError for an empty forest, and for columns that do not fit.
  void add(std::shared_ptr<const Forest> forest, std::span<const int64_t> columns);

  size_t size() const { return held_.size(); }
  size_t width() const { return width_; }
  /// Of forest i the edges have the numbers [edge_offsets()[i], edge_offsets()[i + 1]) among those of all.
  const std::vector<size_t>& edge_offsets() const { return edge_offsets_; }
  size_t edge_count() const { return edge_offsets_.back(); }
  /// The arrays of all forests, and of those that are not held.
  uint64_t bytes() const { return bytes_; }
  uint64_t bytes_on_disk() const { return bytes_ - held_bytes_; }

  std::shared_ptr<const Forest> operator[](size_t number) const;

  /// Weights in the order of columns as forests take them, by forests that share names.
  class NamedWeights {
   public:
    /// Throws InputError unless there are as many weights as columns, all finite.
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
  std::vector<std::shared_ptr<const Forest>> held_;  // null: in the file
  std::vector<size_t> edge_offsets_{0};
  uint64_t bytes_ = 0, held_bytes_ = 0;
  std::map<std::shared_ptr<const ForestNames>, size_t> known_names_;
  std::vector<size_t> names_of_;                // of each forest, a place in columns_
  std::vector<std::vector<uint32_t>> columns_;  // of forests that share names
};

}  // namespace tunesmith::forest
