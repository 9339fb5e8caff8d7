// Look-up and sampling of the occurrences of patterns with gaps in an indexed corpus (Lopez 2007).
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

/// Contiguous chunks of a pattern, separated by gaps.
inline constexpr int kMaxChunks = 3;

/// The chunks of a rule's source side, concatenated in `words`. A pattern begins and ends with a word: gaps
/// before the first and after the last chunk do not affect where it occurs.
struct Pattern {
  std::vector<int32_t> words;
  std::array<uint8_t, kMaxChunks> lengths{};  // number of words per chunk
  int chunks = 1;
  uint32_t sides = UINT32_MAX;  // which of sides_of are requested, one bit each

  friend bool operator==(const Pattern&, const Pattern&) = default;
};

struct PatternHash {
  size_t operator()(const Pattern& pattern) const;
};

/// Text positions where the chunks of a pattern begin; 0 for missing chunks.
struct Occurrence {
  std::array<uint32_t, kMaxChunks> chunks{};

  friend auto operator<=>(const Occurrence&, const Occurrence&) = default;
};

/// Keeps the `samples` occurrences of lowest rank (0: all), except excluded ones. The rank is a hash of the
/// position. So the sample is uniform, the total need not be known in advance, and excluding sentences that
/// the sample does not touch leaves it unchanged.
class Sample {
 public:
  Sample(size_t samples, const ExcludedText& excluded) : samples_(samples), excluded_(&excluded) {}

  void add(const Occurrence& occurrence);
  /// Moves the sample out, sorted by position.
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
  uint64_t limit_ = UINT64_MAX;  // higher ranks can no longer be in the sample
  std::vector<Ranked> kept_;
};

/// Finds the patterns of one sentence at a time; one per thread. Chunks are found by the suffix array. A
/// pattern with gaps is driven by its rarest chunk: each occurrence of the driver is scanned once for all
/// patterns that share it, using bit masks of the positions of words in the window around it. A simple
/// alternative to merging sorted lists (Lopez 2007; Baltescu and Blunsom 2014). O(occurrences of the rarest
/// chunk * (span + patterns)).
class PatternIndex {
 public:
  /// Throws InputError if limits.max_span is over 31, the size of masks. The side must outlive it. Scans
  /// about `scan_limit` evenly spaced occurrences of a driver; 0: all.
  PatternIndex(const IndexSide& side, const rules::RuleLimits& limits, size_t samples, size_t scan_limit = 0);

  /// Sets samples[i] to a sample of the occurrences of patterns[i] outside of `excluded`.
  void find(std::span<const Pattern> patterns, const ExcludedText& excluded,
            std::vector<std::vector<Occurrence>>& samples);

 private:
  /// A pattern and its driver, the chunk whose occurrences are scanned.
  struct Driven {
    size_t pattern;
    int driver;
    size_t locals;  // offset of its words in locals_
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
  size_t scan_limit_;
  // The words of the patterns that share a driver have local numbers, from 0.
  std::vector<int32_t> words_;
  std::vector<int32_t> locals_;   // local numbers of the words of each pattern
  std::vector<int32_t> local_;    // local number of each word of the vocabulary, or -1
  std::vector<uint64_t> wanted_;  // one bit per word of the vocabulary: has a local number
  std::vector<uint64_t> masks_;   // by local number; bit b: occurs at the driver's position + b - max_span
  std::vector<int32_t> seen_;     // local numbers whose masks are not 0
  bool looks_back_ = false;       // whether a driver is not the first chunk of its pattern
};

}  // namespace tunesmith::extract::on_demand
