// Enumeration of the patterns of a sentence that may occur in the corpus.
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

/// Patterns, and for each a bit mask of the source sides (bit i: sides_of(...)[i]) that fit into the
/// sentence.
struct PatternRound {
  std::vector<Pattern> patterns;
  std::vector<uint32_t> sides;
};

/// Enumerates patterns by their number of chunks, each once, in the order of the sentence.
class SentencePatterns {
 public:
  /// `words` are numbers of the side's vocabulary, or -1 if unknown. The arguments must outlive it.
  SentencePatterns(const IndexSide& side, const rules::RuleLimits& limits, std::span<const int32_t> words);

  /// The patterns with this many chunks.
  PatternRound of_chunks(int chunks);
  /// Records that a pattern of two chunks occurs; patterns of three chunks are built of such pairs only.
  void note(const Pattern& pattern) { pairs_.insert(pattern); }

 private:
  struct PlacedPattern {
    std::array<int32_t, kMaxChunks> begin{};
    Pattern pattern;
  };
  int32_t longest_chunk(int32_t begin) const { return longest_[static_cast<size_t>(begin)]; }
  void extend(PlacedPattern& placed, int chunks, PatternRound& round);
  void add(const PlacedPattern& placed, PatternRound& round);
  bool last_pair_may_occur(const PlacedPattern& placed, int chunks) const;

  const rules::RuleLimits& limits_;
  std::span<const int32_t> words_;
  std::vector<int32_t> longest_;                              // length of the longest phrase that occurs
  std::unordered_set<Pattern, PatternHash> pairs_;            // patterns of two chunks that occur
  std::unordered_map<Pattern, size_t, PatternHash> numbers_;  // of the patterns of this round
};

}  // namespace tunesmith::extract::on_demand
