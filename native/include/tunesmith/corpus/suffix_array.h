// Suffix array of a corpus (Manber and Myers 1993), used as in Lopez (2007): the occurrences of a phrase are
// an interval of the sorted suffixes. Sorted by the first 32 words only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith::corpus {

/// Separator after each sentence of a text; no word has this number.
inline constexpr int32_t kSentenceEnd = -1;

/// Number of words by which suffixes are sorted; longer phrases cannot be looked up.
inline constexpr int kSuffixDepth = 32;

/// `text` is the concatenated sentences, each followed by kSentenceEnd.
struct SuffixArray {
  std::span<const int32_t> text;
  std::span<const uint32_t> suffixes;  // positions of words; sentence ends are left out
  std::span<const uint32_t> first;     // suffixes[first[w], first[w + 1]) begin with word w

  struct Interval {
    uint32_t begin = 0;
    uint32_t end = 0;

    uint32_t size() const { return end - begin; }
    bool empty() const { return begin >= end; }
    friend bool operator==(const Interval&, const Interval&) = default;
  };

  /// The suffixes that begin with a word; empty if the corpus does not have it.
  Interval find(int32_t word) const;
  /// The suffixes of an interval, which share their first `depth` words, whose next word is `word`.
  /// O(log interval).
  Interval narrow(Interval interval, int depth, int32_t word) const;
  /// The suffixes that begin with a phrase of at most kSuffixDepth words.
  Interval find(std::span<const int32_t> phrase) const;
};

/// Sorts the suffixes by their first kSuffixDepth words, a shorter one before its continuations, ties by
/// position. O(n log n) for natural text, O(kSuffixDepth n log n) in the worst case. Words are in [0, words),
/// and the text ends with kSentenceEnd unless it is empty. Also fills `first`.
std::vector<uint32_t> sort_suffixes(std::span<const int32_t> text, size_t words, int threads,
                                    std::vector<uint32_t>& first);

}  // namespace tunesmith::corpus
