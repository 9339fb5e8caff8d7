// Interned names: strings numbered from 0 in order of first occurrence.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tunesmith/base/texts.h"

namespace tunesmith {

/// Growing array of strings, stored as one blob with offsets.
struct TextColumn {
  std::vector<uint8_t> blob;
  std::vector<int64_t> offsets{0};

  size_t size() const { return offsets.size() - 1; }
  bool empty() const { return size() == 0; }
  void add(std::string_view text) {
    blob.insert(blob.end(), text.begin(), text.end());
    offsets.push_back(static_cast<int64_t>(blob.size()));
  }
  Texts view() const { return {{reinterpret_cast<const char*>(blob.data()), blob.size()}, offsets}; }
  std::string_view operator[](size_t i) const {
    return {reinterpret_cast<const char*>(blob.data()) + offsets[i],
            static_cast<size_t>(offsets[i + 1] - offsets[i])};
  }
};

/// Hash table from names to numbers, with the names in one blob. O(1) per look-up.
class NameTable {
 public:
  static constexpr int32_t kUnknown = -1;

  int32_t find(std::string_view name) const;
  /// The number of a name; a new name gets the next number.
  int32_t intern(std::string_view name);

  size_t size() const { return names_.size(); }
  /// Valid until the next insertion.
  std::string_view operator[](int32_t number) const { return names_[static_cast<size_t>(number)]; }
  const TextColumn& names() const { return names_; }
  /// Moves the names out; the table must not be used afterwards.
  TextColumn take_names() { return std::move(names_); }

 private:
  size_t slot(std::string_view name, uint64_t hash) const;
  void grow();

  TextColumn names_;
  std::vector<uint64_t> hashes_;
  std::vector<int32_t> slots_;  // open addressing; size a power of two, at most half full
};

}  // namespace tunesmith
