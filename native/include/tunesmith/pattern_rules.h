// The rules of one source pattern, extracted from a sample of the places where its words occur.
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/grammar.h"
#include "tunesmith/pattern_sides.h"
#include "tunesmith/target_tally.h"

namespace tunesmith {

/// Grammar sides stand in the order of sides_of; those without rules have none of them.
struct PatternRules {
  Grammar grammar;
  std::vector<uint32_t> sentences;  // of the sample, rising
  bool occurs = false;              // whether the sample has a place

  size_t bytes() const { return sizeof(*this) + grammar.bytes() + sentences.capacity() * sizeof(uint32_t); }
};

/// Extracts the rules of source patterns; for one thread.
class PatternRuleExtractor {
 public:
  PatternRuleExtractor(const SuffixIndex& index, const RuleLimits& limits)
      : index_(index), extractor_(limits) {}

  PatternRules extract(const Pattern& pattern, std::span<const Occurrence> sample);

 private:
  void open(size_t sentence);

  const SuffixIndex& index_;
  RuleExtractor extractor_;
  AlignedPair pair_;
  std::vector<Reach> source_reach_, target_reach_;
  std::vector<TargetTally> tallies_;  // one for each source side
};

/// Sum over the words of `side` of -log10 of its largest probability given a word of `given` or the empty
/// word; kNoLexicalScore for a word that has none.
float max_lexical_score(const LinkLexicon& lexicon, std::span<const Symbol> source,
                        std::span<const Symbol> target, bool of_source);

/// What a word without any probability costs: cdec's convention.
inline constexpr double kNoLexicalScore = 99;

}  // namespace tunesmith
