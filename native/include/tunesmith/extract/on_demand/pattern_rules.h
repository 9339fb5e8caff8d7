// Extraction of the rules of one pattern from a sample of its occurrences.
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/extract/on_demand/grammar.h"
#include "tunesmith/extract/on_demand/pattern_sides.h"
#include "tunesmith/extract/on_demand/target_tally.h"
#include "tunesmith/extract/rules/limits.h"

namespace tunesmith::extract::on_demand {

/// The rules of a pattern; the source sides of `grammar` are in the order of sides_of, some without rules.
struct PatternRules {
  Grammar grammar;
  std::vector<uint32_t> sentences;  // of the sample, ascending
  bool occurs = false;              // whether the sample is not empty

  size_t bytes() const { return sizeof(*this) + grammar.bytes() + sentences.capacity() * sizeof(uint32_t); }
};

/// Which side of the bitext patterns belong to.
enum class PatternSide { kSource, kTarget };

/// Extracts the rules of patterns of one side; one per thread. Rules of target patterns are inverted: the
/// pattern is their source side, and the limits on source sides apply to their target sides.
class PatternRuleExtractor {
 public:
  /// Lexical costs are those of `lexicon`; it and the index must outlive it. Of each source side, the
  /// `breadth` most frequent target sides are kept (0: all), of equally frequent ones those with the least
  /// sum of lexical costs; counts of the source side are those of all.
  PatternRuleExtractor(const SuffixIndex& index, const rules::LinkLexicon& lexicon,
                       const rules::RuleLimits& limits, PatternSide side, size_t breadth = 0);

  PatternRules extract(const Pattern& pattern, std::span<const Occurrence> sample);

 private:
  void open(size_t sentence);
  /// Whether the source side of an inverted rule is within the limits.
  bool allows(const rules::RuleOccurrence& turned) const;
  void score(std::span<const grammar::Symbol> side, SampledCounts counts, const TargetTally& tally,
             Grammar& grammar) const;
  /// Removes all but the `breadth` best. O(rules log rules), and lexical costs of those as frequent as the
  /// last.
  void cut(std::span<const grammar::Symbol> side, std::vector<TargetTally::Total>& totals) const;

  const SuffixIndex& index_;
  const rules::LinkLexicon& lexicon_;
  const rules::RuleLimits limits_;
  const PatternSide side_;
  const size_t breadth_;
  const IndexSide& here_;
  rules::RuleExtractor extractor_;
  rules::AlignedPair pair_;
  bool opened_ = false;  // whether pair_ is the sentence pair of the current occurrence
  std::vector<rules::Reach> reach_here_, reach_there_;
  std::vector<corpus::Link> turned_links_;
  std::vector<TargetTally> tallies_;  // one per source side
};

/// The limits of inverted rules. If target spans are unlimited, their limit is twice that of source spans,
/// which few rules exceed; in any case it is at most 31 words.
rules::RuleLimits turned_limits(const rules::RuleLimits& limits);

}  // namespace tunesmith::extract::on_demand
