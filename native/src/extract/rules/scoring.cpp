#include "tunesmith/extract/rules/scoring.h"

#include <algorithm>
#include <cmath>

namespace tunesmith::extract::rules {

namespace {

constexpr double kLastDigit = 1e-7;

double probability(const phrases::Lexicon::Entry* entry, RuleDirection direction, double missing) {
  if (entry == nullptr) return missing;
  const double exact = direction == RuleDirection::kTargetGivenSource ? entry->target_given_source
                                                                      : entry->source_given_target;
  return std::max(std::round(exact / kLastDigit), 1.0) * kLastDigit;
}

}  // namespace

double lexical_weight(const grammar::Rule& rule, const phrases::Lexicon& lexicon, RuleDirection direction) {
  const bool forward = direction == RuleDirection::kTargetGivenSource;
  const std::span<const grammar::Symbol> scored = forward ? rule.target : rule.source;
  double product = 1;
  for (size_t t = 0; t < scored.size(); ++t) {
    if (grammar::is_gap(scored[t])) continue;
    double sum = 0;
    int partners = 0;
    for (const corpus::Link& link : rule.alignment) {
      if (static_cast<size_t>(forward ? link.target : link.source) != t) continue;
      const auto* entry = lexicon.find(rule.source[static_cast<size_t>(link.source)],
                                       rule.target[static_cast<size_t>(link.target)]);
      sum += probability(entry, direction, kLastDigit);
      ++partners;
    }
    if (partners == 0) {
      const auto* entry =
          forward ? lexicon.find(phrases::kNullWord, scored[t]) : lexicon.find(scored[t], phrases::kNullWord);
      sum = probability(entry, direction, kLastDigit);
      partners = 1;
    }
    product *= sum / partners;
  }
  return product;
}

double best_lexical_weight(const grammar::Rule& rule, const phrases::Lexicon& lexicon,
                           RuleDirection direction) {
  const bool forward = direction == RuleDirection::kTargetGivenSource;
  const std::span<const grammar::Symbol> scored = forward ? rule.target : rule.source;
  const std::span<const grammar::Symbol> given = forward ? rule.source : rule.target;
  const auto lookup = [&](grammar::Symbol word, grammar::Symbol from) {
    return probability(forward ? lexicon.find(from, word) : lexicon.find(word, from), direction, 0);
  };
  double product = 1;
  for (const grammar::Symbol word : scored) {
    if (grammar::is_gap(word)) continue;
    double best = lookup(word, phrases::kNullWord);
    for (const grammar::Symbol from : given)
      if (!grammar::is_gap(from)) best = std::max(best, lookup(word, from));
    product *= best;
  }
  return product;
}

ScoredRule RuleScorer::score(const RuleGroup& group, const CountedRule& counted) {
  ScoredRule scored;
  rule_.read_target(counted.target, counted.swapped, target_);
  if (counted.inverse_links != counted.links) {
    rule_.read_links(counted.inverse_links);
    scored.lexical_source_given_target =
        lexical_weight(rule_.view(), lexicon_, RuleDirection::kSourceGivenTarget);
    rule_.read_links(counted.links);
  } else {
    rule_.read_links(counted.links);
    scored.lexical_source_given_target =
        lexical_weight(rule_.view(), lexicon_, RuleDirection::kSourceGivenTarget);
  }
  scored.rule = rule_.view();
  scored.lexical_target_given_source =
      lexical_weight(scored.rule, lexicon_, RuleDirection::kTargetGivenSource);
  scored.best_lexical_target_given_source =
      best_lexical_weight(scored.rule, lexicon_, RuleDirection::kTargetGivenSource);
  scored.best_lexical_source_given_target =
      best_lexical_weight(scored.rule, lexicon_, RuleDirection::kSourceGivenTarget);
  scored.target_count = weight_value(counted.target_weight);
  scored.source_count = weight_value(group.tally.weight);
  scored.joint_count = weight_value(counted.tally.weight);
  scored.source_given_target = scored.joint_count / scored.target_count;
  scored.target_given_source = scored.joint_count / scored.source_count;
  scored.source_occurrences = group.tally.occurrences;
  scored.occurrences = counted.tally.occurrences;
  return scored;
}

}  // namespace tunesmith::extract::rules
