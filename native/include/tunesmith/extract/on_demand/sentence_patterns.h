// The patterns of a sentence: which of its words, with gaps between them, are worth looking up.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tunesmith/extract/on_demand/pattern_index.h"
#include "tunesmith/extract/on_demand/pattern_sides.h"
#include "tunesmith/extract/rules/limits.h"

namespace tunesmith::extract::on_demand {

/// Patterns, and for each of their source sides (bit i is sides_of(...)[i]) whether the sentence has room.
struct PatternRound {
  std::vector<Pattern> patterns;
  std::vector<uint32_t> sides;
};

/// Patterns come by their number of chunks, each once, in the order in which the sentence has them.
class SentencePatterns {
 public:
  /// The words are numbers of the side's vocabulary, or -1. The views must outlive it.
  SentencePatterns(const IndexSide& side, const rules::RuleLimits& limits, std::span<const int32_t> words);

  /// The patterns of so many chunks.
  PatternRound of_chunks(int chunks);
  /// Notes that a pattern of two chunks occurs; those of three chunks are made of such ones only.
  void note(const Pattern& pattern) { pairs_.insert(pattern); }

 private:
  struct Place {
    std::array<int32_t, kMaxChunks> begin{};
    Pattern pattern;
  };
  int32_t longest_chunk(int32_t begin) const { return longest_[static_cast<size_t>(begin)]; }
  void extend(Place& place, int chunks, PatternRound& round);
  void add(const Place& place, PatternRound& round);
  bool last_pair_may_occur(const Place& place, int chunks) const;

  const rules::RuleLimits& limits_;
  std::span<const int32_t> words_;
  std::vector<int32_t> longest_;                              // words from here that occur as a phrase
  std::unordered_set<Pattern, PatternHash> pairs_;            // patterns of two chunks that occur
  std::unordered_map<Pattern, size_t, PatternHash> numbers_;  // of the patterns of this round
};

}  // namespace tunesmith::extract::on_demand
