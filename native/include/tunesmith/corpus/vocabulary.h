// Vocabularies: words as numbers, growing in memory while a corpus is read, or mapped from a file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/container.h"
#include "tunesmith/base/name_table.h"

namespace tunesmith::corpus {

/// Growing vocabulary: words are numbered from 0 in order of first occurrence.
using Vocabulary = NameTable;

/// Whether all words are valid UTF-8; a damaged file may hold any bytes. O(bytes).
bool all_words_are_utf8(const Texts& words);

/// Vocabulary mapped from a file: the words as one blob, and a hash table of their numbers.
class VocabularyView {
 public:
  static constexpr int32_t kUnknown = -1;

  VocabularyView() = default;
  /// Maps the sections `<name>.blob`, `<name>.offsets` and `<name>.slots` of a container. Damage is an
  /// InputError that names the file.
  VocabularyView(const Container& container, const std::string& name);

  int32_t find(std::string_view word) const;
  size_t size() const { return words_.size(); }
  /// Throws InputError if there is no such word.
  std::string_view word(int32_t number) const;
  const Texts& words() const { return words_; }

 private:
  Texts words_;
  std::span<const int32_t> slots_;
};

/// Writes what VocabularyView maps.
void write_vocabulary(ContainerWriter& writer, const std::string& name, const Texts& words);

}  // namespace tunesmith::corpus
