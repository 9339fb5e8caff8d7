// The pairs of a source phrase by hashes of their target phrases.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/kept_lists.h"
#include "tunesmith/base/text.h"
#include "tunesmith/tables/phrase_table.h"

namespace tunesmith::decode {

/// A hash of the words of a phrase, made word by word.
class TargetKey {
 public:
  TargetKey& add(int32_t word) {
    hash_ = mix(hash_, static_cast<uint32_t>(word));
    return *this;
  }
  uint32_t value() const { return static_cast<uint32_t>(hash_ >> 32); }

 private:
  uint64_t hash_ = 0;
};

/// The keys of all phrases of up to `longest` words that occur in a sentence, and of the empty phrase; sorted
/// and distinct. Negative words occur in no phrase.
std::vector<uint32_t> phrase_keys(std::span<const int32_t> sentence, size_t longest);

/// Finds the pairs whose target phrases may occur in a sentence without reading all of them: a frequent word
/// has a hundred thousand translations, and each of their target phrases is a cache miss.
class TargetKeys {
 public:
  /// `words` are the numbers of the table's target words; empty if they are the table's own.
  TargetKeys(const tables::PhraseTable& table, tables::PairRange pairs, std::span<const int32_t> words);

  /// Appends the pairs whose targets have one of the keys, in ascending order: few others than those with
  /// one of the phrases. O(keys log(pairs) + found). `keys` are sorted and distinct.
  void find(std::span<const uint32_t> keys, std::vector<uint32_t>& found) const;

  /// For KeptLists: memory in units of 64 bytes.
  size_t size() const { return entries_.size() * sizeof(Entry) / 64 + 1; }

 private:
  struct Entry {
    uint32_t key, pair;
    auto operator<=>(const Entry&) const = default;
  };

  std::vector<Entry> entries_;  // sorted
};

/// By table and node of its trie.
using KeptTargetKeys = KeptLists<TargetKeys, size_t{1} << 16>;  // at most 128 MB

}  // namespace tunesmith::decode
