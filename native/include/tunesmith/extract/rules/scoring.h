// Scoring of counted rules: relative frequencies and lexical weights, in both directions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/extract/phrases/lexicon.h"
#include "tunesmith/extract/rules/groups.h"

namespace tunesmith::extract::rules {

/// Which side is scored given the other.
enum class RuleDirection { kTargetGivenSource, kSourceGivenTarget };

/// prod_t 1/|A_t| sum_{s in A_t} p(t|s) over the words t of the scored side, where A_t are the words linked
/// to t, or NULL if there are none (Koehn et al. 2003); gaps have weight 1. Word probabilities are rounded to
/// 7 decimals, as Moses prints them; unknown pairs have 1e-7.
double lexical_weight(const grammar::Rule& rule, const phrases::Lexicon& lexicon, RuleDirection direction);

/// prod_t max_s p(t|s) over all words s of the other side and NULL, regardless of the alignment, as in cdec;
/// 0 if some t has no known pair.
double best_lexical_weight(const grammar::Rule& rule, const phrases::Lexicon& lexicon,
                           RuleDirection direction);

struct ScoredRule {
  grammar::Rule rule;
  double source_given_target = 0;  // p(f|e)
  double target_given_source = 0;  // p(e|f)
  double lexical_source_given_target = 0;
  double lexical_target_given_source = 0;
  double best_lexical_source_given_target = 0;
  double best_lexical_target_given_source = 0;
  double target_count = 0;  // fractional if counts are
  double source_count = 0;
  double joint_count = 0;
  uint64_t source_occurrences = 0;
  uint64_t occurrences = 0;
};

/// Scores the rules of groups; one per thread.
class RuleScorer {
 public:
  RuleScorer(const SymbolOrder& source, const SymbolOrder& target, const phrases::Lexicon& lexicon)
      : source_(source), target_(target), lexicon_(lexicon) {}

  /// The source side of a group; valid until the next call.
  std::span<const grammar::Symbol> source(const RuleGroup& group) {
    rule_.read_source(group.source, source_);
    return rule_.view().source;
  }

  /// Calls body(const ScoredRule&) for each rule; its spans are valid during the call only.
  template <class Body>
  void score(const RuleGroup& group, Body body) {
    rule_.read_source(group.source, source_);
    group.for_each([&](const CountedRule& counted) { body(score(group, counted)); });
  }

 private:
  ScoredRule score(const RuleGroup& group, const CountedRule& counted);

  const SymbolOrder& source_;
  const SymbolOrder& target_;
  const phrases::Lexicon& lexicon_;
  DecodedRule rule_;
};

}  // namespace tunesmith::extract::rules
