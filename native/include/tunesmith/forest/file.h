// Forest file: many compressed forests in one mapped file, by number or by sentence id.
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

/// Writes forests one by one, each as a block of bytes as soon as it is added. Only the distinct words and
/// features, and a few numbers and the id of each forest, stay in memory. The file appears, complete, with
/// `finish`; without it nothing is left behind. Threads may add, and compress at the same time; forests are
/// in the order in which they were finished, those of one thread in the order of its calls.
class ForestWriter {
 public:
  explicit ForestWriter(const std::string& path);

  /// Throws InputError if another forest has the id; "" is the forest's number.
  void add(const Forest& forest, std::string_view id = {});
  void finish();

  size_t size() const {
    const std::lock_guard lock(mutex_);
    return checksums_.size();
  }

 private:
  /// Numbers in the file of a forest's words and features.
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
  // Cache for the last names, which forests of one decoder share; copied on write, as threads may be reading.
  std::shared_ptr<const ForestNames> last_names_;
  std::shared_ptr<Numbers> last_numbers_;
};

/// Reader of a forest file. Reading a forest takes time and memory for that one only; all share the names of
/// the file. Threads may read.
class ForestFile {
 public:
  /// Throws InputError for a missing, foreign, truncated or damaged file; `forest` for a damaged block.
  explicit ForestFile(const std::string& path);

  size_t size() const { return checksums_.size(); }
  Forest forest(size_t number) const;
  /// Number of a forest by id; NameTable::kUnknown if there is none.
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
