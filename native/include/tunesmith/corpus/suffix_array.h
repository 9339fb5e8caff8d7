// All suffixes of a corpus in the order of their words: every phrase is an interval of them. Suffix arrays
// (Manber and Myers 1993), used as in Lopez (2007); sorted by the first 32 words only.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tunesmith::corpus {

/// Ends a sentence in a text of several; no word has this number.
inline constexpr int32_t kSentenceEnd = -1;

/// Suffixes are sorted by this many words; longer phrases cannot be looked up.
inline constexpr int kSuffixDepth = 32;

/// The text of sentences, each followed by kSentenceEnd.
struct SuffixArray {
  std::span<const int32_t> text;
  std::span<const uint32_t> suffixes;  // positions of words, none of sentence ends
  std::span<const uint32_t> first;     // suffixes[first[w], first[w + 1]) begin with word w

  struct Interval {
    uint32_t begin = 0;
    uint32_t end = 0;

    uint32_t size() const { return end - begin; }
    bool empty() const { return begin >= end; }
    friend bool operator==(const Interval&, const Interval&) = default;
  };

  /// The suffixes that begin with a word; empty where the corpus does not have it.
  Interval find(int32_t word) const;
  /// Those of an interval whose word at `depth` is `word`; the interval's suffixes share `depth` words.
  /// O(log interval).
  Interval narrow(Interval interval, int depth, int32_t word) const;
  /// The suffixes that begin with a phrase of at most kSuffixDepth words.
  Interval find(std::span<const int32_t> phrase) const;
};

/// Sorts the suffixes by their first kSuffixDepth words, a shorter one before its continuations, equal ones
/// by position. O(n log n) for text as people write it, O(kSuffixDepth n log n) for the worst. Words are
/// from 0 to below `words`, and the text ends with kSentenceEnd unless it is empty. Fills `first` too.
std::vector<uint32_t> sort_suffixes(std::span<const int32_t> text, size_t words, int threads,
                                    std::vector<uint32_t>& first);

}  // namespace tunesmith::corpus
