// The name of a sparse feature in parts: its key is known, and its text is made only where somebody reads it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tunesmith/base/name_table.h"
#include "tunesmith/weights/text_hash.h"

namespace tunesmith::weights {

/// The name is the concatenation of the parts, and `key` is `key_of` it. It views texts of its maker, which
/// are valid during the call that it is passed to.
struct FeatureName {
  std::span<const std::string_view> parts;
  uint64_t key = 0;

  std::string text() const {
    std::string text;
    for (const std::string_view part : parts) text += part;
    return text;
  }
  /// Adds the text to a column.
  void append_to(TextColumn& names) const {
    for (const std::string_view part : parts) names.blob.insert(names.blob.end(), part.begin(), part.end());
    names.offsets.push_back(static_cast<int64_t>(names.blob.size()));
  }
  /// Whether the name is a given text. Builds nothing.
  bool is(std::string_view text) const {
    for (const std::string_view part : parts) {
      if (!text.starts_with(part)) return false;
      text.remove_prefix(part.size());
    }
    return text.empty();
  }
};

}  // namespace tunesmith::weights
