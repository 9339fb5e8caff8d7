// Words as numbers, in memory while a corpus is read, and mapped from a file afterwards.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tunesmith/base/container.h"
#include "tunesmith/base/name_table.h"

namespace tunesmith::corpus {

/// A vocabulary that grows: the first word is 0, the next new one 1, and so on.
using Vocabulary = NameTable;

/// Whether each of the words is UTF-8: those of a damaged file may hold anything. O(bytes).
bool all_words_are_utf8(const Texts& words);

/// A vocabulary that is mapped: words as one blob, and a hash table of their numbers.
class VocabularyView {
 public:
  static constexpr int32_t kUnknown = -1;

  VocabularyView() = default;
  /// Maps the sections `<name>.blob`, `<name>.offsets` and `<name>.slots` of a container. What is damaged is
  /// an InputError that names the file.
  VocabularyView(const Container& container, const std::string& name);

  int32_t find(std::string_view word) const;
  size_t size() const { return words_.size(); }
  /// Throws InputError where there is no such word.
  std::string_view word(int32_t number) const;
  const Texts& words() const { return words_; }

 private:
  Texts words_;
  std::span<const int32_t> slots_;
};

/// Writes what VocabularyView maps.
void write_vocabulary(ContainerWriter& writer, const std::string& name, const Texts& words);

}  // namespace tunesmith::corpus
