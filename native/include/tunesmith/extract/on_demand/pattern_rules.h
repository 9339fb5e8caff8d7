// The rules of one pattern, extracted from a sample of the places where its words occur.
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/extract/on_demand/grammar.h"
#include "tunesmith/extract/on_demand/pattern_sides.h"
#include "tunesmith/extract/on_demand/target_tally.h"
#include "tunesmith/extract/rules/limits.h"

namespace tunesmith::extract::on_demand {

/// Grammar sides stand in the order of sides_of; those without rules have none of them.
struct PatternRules {
  Grammar grammar;
  std::vector<uint32_t> sentences;  // of the sample, rising
  bool occurs = false;              // whether the sample has a place

  size_t bytes() const { return sizeof(*this) + grammar.bytes() + sentences.capacity() * sizeof(uint32_t); }
};

/// Which side of the bitext patterns belong to.
enum class PatternSide { kSource, kTarget };

/// Extracts the rules of a side's patterns; for one thread. Rules of target patterns are turned around: their
/// source side is the pattern, and what the limits say of source sides holds for their target sides.
class PatternRuleExtractor {
 public:
  PatternRuleExtractor(const SuffixIndex& index, const rules::RuleLimits& limits, PatternSide side);

  PatternRules extract(const Pattern& pattern, std::span<const Occurrence> sample);

 private:
  void open(size_t sentence);
  /// Whether the source side of a rule that was found by its target side is within the limits.
  bool allows(const rules::RuleOccurrence& turned) const;
  void score(std::span<const grammar::Symbol> side, SampledCounts counts, const TargetTally& tally,
             Grammar& grammar) const;

  const SuffixIndex& index_;
  const rules::RuleLimits limits_;
  const PatternSide side_;
  const IndexSide& here_;
  rules::RuleExtractor extractor_;
  rules::AlignedPair pair_;
  bool opened_ = false;  // whether pair_ is the pair of the place that is looked at
  std::vector<rules::Reach> reach_here_, reach_there_;
  std::vector<corpus::Link> turned_links_;
  std::vector<TargetTally> tallies_;  // one for each source side
};

/// The limits of rules seen from their target side. Where target spans have no limit, they get one of twice
/// the source spans', which few rules exceed; in any case it is at most 31 words.
rules::RuleLimits turned_limits(const rules::RuleLimits& limits);

}  // namespace tunesmith::extract::on_demand
