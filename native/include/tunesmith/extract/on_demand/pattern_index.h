// Where source patterns with gaps between their words occur in a corpus, and samples of those places.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/extract/on_demand/exclusion.h"
#include "tunesmith/extract/on_demand/suffix_index.h"
#include "tunesmith/extract/rules/limits.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::extract::on_demand {

/// Pieces of a pattern between its gaps.
inline constexpr int kMaxChunks = 3;

/// A pattern begins and ends with a word; `words` holds its chunks one after another. Gaps before the first
/// and after the last chunk of a rule do not matter to where it occurs.
struct Pattern {
  std::vector<int32_t> words;
  std::array<uint8_t, kMaxChunks> lengths{};  // words of each chunk
  int chunks = 1;
  uint32_t sides = UINT32_MAX;  // which of sides_of are asked for, a bit each

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
  /// Where `places` is not 0, only about so many places of a rarest chunk are looked at, evenly spread.
  PatternIndex(const IndexSide& side, const rules::RuleLimits& limits, size_t samples, size_t places = 0);

  /// samples[i] becomes a sample of the occurrences of patterns[i] that `excluded` does not hold.
  void find(std::span<const Pattern> patterns, const ExcludedText& excluded,
            std::vector<std::vector<Occurrence>>& samples);

 private:
  /// A pattern and the chunk at whose places it is looked for.
  struct Driven {
    size_t pattern;
    int driver;
    size_t locals;  // where the numbers of its words begin in locals_
  };

  void find_contiguous(const Pattern& pattern, Sample& sample) const;
  void scan(std::span<Driven> driven, std::span<const Pattern> patterns, std::vector<Sample>& samples);
  void number_words(std::span<Driven> driven, std::span<const Pattern> patterns);
  void forget_words();
  void look_around(uint32_t position);
  void match(const Pattern& pattern, const Driven& driven, uint32_t position, Sample& sample) const;

  const IndexSide& side_;
  rules::RuleLimits limits_;
  size_t samples_;
  size_t places_;
  // The words of the patterns that share a driver have numbers of their own, from 0.
  std::vector<int32_t> words_;
  std::vector<int32_t> locals_;   // the numbers of the words of each pattern
  std::vector<int32_t> local_;    // the number of each word of the vocabulary, or -1
  std::vector<uint64_t> wanted_;  // a bit for each of them: whether it has a number
  std::vector<uint64_t> masks_;   // bit b tells that the word stands at the driver's position + b - max_span
  std::vector<int32_t> seen_;     // the numbers whose masks are not 0
  bool looks_back_ = false;       // whether a driver is not the first chunk of its pattern
};

}  // namespace tunesmith::extract::on_demand
