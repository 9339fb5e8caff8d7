// The name of a sparse feature in parts: its key is known, and its text is made only where somebody reads it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tunesmith/base/name_table.h"
#include "tunesmith/weights/text_hash.h"
#include "tunesmith/weights/word_part.h"

namespace tunesmith::weights {

/// The name is the concatenation of the parts, and `key` is `key_of` it. It views texts of its maker, which
/// are valid during the call that it is passed to. Parts whose bit is set in `coded` are words that the name
/// has in the form of `append_word_part`.
struct FeatureName {
  std::span<const std::string_view> parts;
  uint64_t key = 0;
  uint64_t coded = 0;

  std::string text() const {
    std::string text;
    for (size_t i = 0; i < parts.size(); ++i)
      if (is_coded(i))
        append_word_part(parts[i], text);
      else
        text += parts[i];
    return text;
  }
  /// Adds the text to a column.
  void append_to(TextColumn& names) const {
    if (coded != 0) {
      const std::string whole = text();
      names.blob.insert(names.blob.end(), whole.begin(), whole.end());
    } else {
      for (const std::string_view part : parts) names.blob.insert(names.blob.end(), part.begin(), part.end());
    }
    names.offsets.push_back(static_cast<int64_t>(names.blob.size()));
  }
  /// Whether the name is a given text. Builds nothing unless words are coded.
  bool is(std::string_view text) const {
    if (coded != 0) return this->text() == text;
    for (const std::string_view part : parts) {
      if (!text.starts_with(part)) return false;
      text.remove_prefix(part.size());
    }
    return text.empty();
  }

 private:
  bool is_coded(size_t part) const { return part < 64 && (coded >> part & 1) != 0; }
};

}  // namespace tunesmith::weights
