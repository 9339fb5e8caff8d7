// The pairs of a source phrase by the first words of their target phrases.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/kept_lists.h"
#include "tunesmith/tables/phrase_table.h"

namespace tunesmith::decode {

/// Finds the pairs whose target phrases may occur in a sentence without reading all of them: a frequent word
/// has a hundred thousand translations, and each of their target phrases is a cache miss.
class FirstWords {
 public:
  /// `words` are the numbers of the table's target words; empty if they are the table's own.
  FirstWords(const tables::PhraseTable& table, tables::PairRange pairs, std::span<const int32_t> words);

  /// Appends the pairs whose targets begin with one of the words, or are empty, in ascending order. O(words
  /// log(pairs) + found). `words` are sorted and distinct.
  void find(std::span<const int32_t> words, std::vector<uint32_t>& found) const;

  /// For KeptLists: memory in units of 64 bytes.
  size_t size() const { return entries_.size() * sizeof(Entry) / 64 + 1; }

 private:
  static constexpr int32_t kEmpty = -1;  // the first word of an empty target

  struct Entry {
    int32_t word;
    uint32_t pair;
    bool operator<(const Entry& other) const {
      return word != other.word ? word < other.word : pair < other.pair;
    }
  };

  std::vector<Entry> entries_;  // sorted
};

/// By table and node of its trie.
using KeptFirstWords = KeptLists<FirstWords, size_t{1} << 16>;  // at most 128 MB

}  // namespace tunesmith::decode
