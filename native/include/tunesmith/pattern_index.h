// Where source patterns with gaps between their words occur in a corpus, and samples of those places.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/exclusion.h"
#include "tunesmith/rule.h"
#include "tunesmith/suffix_index.h"

namespace tunesmith {

/// Pieces of a pattern between its gaps.
inline constexpr int kMaxChunks = 3;

/// A pattern begins and ends with a word; `words` holds its chunks one after another. Gaps before the first
/// and after the last chunk of a rule do not matter to where it occurs.
struct Pattern {
  std::vector<int32_t> words;
  std::array<uint8_t, kMaxChunks> lengths{};  // words of each chunk
  int chunks = 1;

  friend bool operator==(const Pattern&, const Pattern&) = default;
};

struct PatternHash {
  size_t operator()(const Pattern& pattern) const;
};

/// Where the chunks of a pattern begin in the text; those that a pattern lacks are 0.
struct Occurrence {
  std::array<uint32_t, kMaxChunks> chunks{};

  friend auto operator<=>(const Occurrence&, const Occurrence&) = default;
};

/// Keeps the `samples` occurrences of the lowest rank, all of them where `samples` is 0, without the excluded
/// ones. The rank of an occurrence is a hash of its place: the sample is uniform, needs no count of all in
/// advance, and if none of its places is excluded, it is the sample with the exclusion too.
class Sample {
 public:
  Sample(size_t samples, const ExcludedText& excluded) : samples_(samples), excluded_(&excluded) {}

  void add(const Occurrence& occurrence);
  /// Sorted by place.
  std::vector<Occurrence> take();

 private:
  struct Ranked {
    uint64_t rank;
    Occurrence occurrence;
    friend auto operator<=>(const Ranked&, const Ranked&) = default;
  };
  void cut();

  size_t samples_;
  const ExcludedText* excluded_;
  uint64_t limit_ = UINT64_MAX;  // higher ranks cannot be among the lowest any more
  std::vector<Ranked> kept_;
};

/// Finds patterns of one sentence at a time; for one thread. Chunks are found by the suffix array. The places
/// of patterns with gaps are those of their rarest chunk where the others stand around it: each of its
/// occurrences is looked at once for all patterns that share it, by masks of the positions at which words
/// stand in the window around it. A simple stand-in for the merging of sorted lists (Lopez 2007; Baltescu and
/// Blunsom 2014). O(occurrences of the rarest chunk * (span + patterns)).
class PatternIndex {
 public:
  /// Throws InputError where limits.max_span is over 31, which masks cannot hold. The views must outlive it.
  PatternIndex(const IndexSide& side, const RuleLimits& limits, size_t samples);

  /// samples[i] becomes a sample of the occurrences of patterns[i] that `excluded` does not hold.
  void find(std::span<const Pattern> patterns, const ExcludedText& excluded,
            std::vector<std::vector<Occurrence>>& samples);

 private:
  struct Driven {
    size_t pattern;
    int driver;  // which chunk
  };

  void find_contiguous(const Pattern& pattern, Sample& sample) const;
  void scan(std::span<const Driven> driven, std::span<const Pattern> patterns, std::vector<Sample>& samples);
  void look_around(uint32_t position);
  void match(const Pattern& pattern, int driver, uint32_t position, Sample& sample) const;
  uint64_t places(std::span<const int32_t> chunk) const;

  const IndexSide& side_;
  RuleLimits limits_;
  size_t samples_;
  std::vector<int32_t> local_;  // the number of a word among those of the patterns, or -1
  std::vector<int32_t> words_;  // the words that have one
  std::vector<uint64_t>
      masks_;                  // of each: bit b tells that it stands at the driver's position + b - max_span
  std::vector<int32_t> seen_;  // the local numbers whose masks are not 0
};

}  // namespace tunesmith
