// Many forests in one mapped file, compressed, each found by its number or by the id of its sentence.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/container.h"
#include "tunesmith/base/name_table.h"
#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// Writes forests as they come: each is a block of bytes in the file as soon as it is added. What stays in
/// memory are the distinct words and features, and a few numbers and the id of each forest. The file appears
/// with `finish`, whole; without it nothing stays. Threads may add, and compress at the same time; forests
/// are in the order in which they were done, of one thread in that of its calls.
class ForestWriter {
 public:
  explicit ForestWriter(const std::string& path);

  /// An id that another forest has is an InputError; "" stands for the forest's number.
  void add(const Forest& forest, std::string_view id = {});
  void finish();

  size_t size() const {
    const std::lock_guard lock(mutex_);
    return checksums_.size();
  }

 private:
  /// The numbers in the file of a forest's words and features.
  struct Numbers {
    std::vector<uint32_t> words, features;
  };

  std::shared_ptr<const Numbers> number_names(const Forest& forest);
  std::string check_id(std::string_view id) const;
  void check_whole() const;

  mutable std::mutex mutex_;
  ContainerWriter container_;
  bool whole_ = true;
  NameTable words_, features_, ids_;
  std::vector<uint64_t> offsets_{0}, checksums_;
  std::vector<uint32_t> node_counts_, edge_counts_;
  // For the last names, which forests of one decoder share. What other threads may be reading is copied
  // before it is changed.
  std::shared_ptr<const ForestNames> last_names_;
  std::shared_ptr<Numbers> last_numbers_;
};

/// Forests of a file; reading one takes time and memory for that one only. All share the names of the file.
/// Threads may read.
class ForestFile {
 public:
  /// A file that is missing, foreign, truncated or damaged is an InputError; so is `forest` of a
  /// damaged block.
  explicit ForestFile(const std::string& path);

  size_t size() const { return checksums_.size(); }
  Forest forest(size_t number) const;
  /// The number of a forest by its id; NameTable::kUnknown where no forest has it.
  int32_t find(std::string_view id) const { return ids_.find(id); }

  const TextColumn& ids() const { return ids_.names(); }
  const std::shared_ptr<const ForestNames>& names() const { return names_; }
  std::span<const uint32_t> node_counts() const { return node_counts_; }
  std::span<const uint32_t> edge_counts() const { return edge_counts_; }
  const std::string& path() const { return container_.path(); }

 private:
  Container container_;
  std::span<const uint8_t> blocks_;
  std::span<const uint64_t> offsets_, checksums_;
  std::span<const uint32_t> node_counts_, edge_counts_;
  std::shared_ptr<const ForestNames> names_;
  NameTable ids_;
};

}  // namespace tunesmith::forest
