#include "tunesmith/rule_scoring.h"

#include <algorithm>
#include <bit>

#include "tunesmith/errors.h"
#include "tunesmith/text.h"

namespace tunesmith {

namespace {

size_t hash_pair(int32_t source, int32_t target) {
  return mix(static_cast<uint32_t>(source) * 0x9e3779b97f4a7c15ULL, static_cast<uint32_t>(target));
}

double probability(const WordLexicon::Entry* entry, Direction direction, double missing) {
  if (entry == nullptr) return missing;
  return direction == Direction::kTargetGivenSource ? entry->target_given_source : entry->source_given_target;
}

}  // namespace

WordLexicon::WordLexicon(std::span<const int32_t> sources, std::span<const int32_t> targets,
                         std::span<const double> target_given_source,
                         std::span<const double> source_given_target) {
  const size_t size = sources.size();
  if (targets.size() != size || target_given_source.size() != size || source_given_target.size() != size)
    throw InputError("the columns of a lexicon have different lengths");
  slots_.assign(std::bit_ceil(2 * size + 2), 0);
  for (size_t i = 0; i < size; ++i) {
    for (const double p : {target_given_source[i], source_given_target[i]})
      if (!(p >= 0 && p <= 1))
        throw InputError("a lexicon holds " + std::to_string(p) + "; expected a probability");
    if (find(sources[i], targets[i]) != nullptr) throw InputError("a lexicon holds a pair of words twice");
    entries_.push_back({sources[i], targets[i], target_given_source[i], source_given_target[i]});
    size_t slot = hash_pair(sources[i], targets[i]) & (slots_.size() - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
    slots_[slot] = static_cast<uint32_t>(entries_.size());
  }
}

const WordLexicon::Entry* WordLexicon::find(int32_t source, int32_t target) const {
  const size_t mask = slots_.size() - 1;
  for (size_t slot = hash_pair(source, target) & mask; slots_[slot] != 0; slot = (slot + 1) & mask) {
    const Entry& entry = entries_[slots_[slot] - 1];
    if (entry.source == source && entry.target == target) return &entry;
  }
  return nullptr;
}

double lexical_weight(const Rule& rule, const WordLexicon& lexicon, Direction direction) {
  const bool forward = direction == Direction::kTargetGivenSource;
  const std::span<const Symbol> scored = forward ? rule.target : rule.source;
  double product = 1;
  for (size_t t = 0; t < scored.size(); ++t) {
    if (is_gap(scored[t])) continue;
    double sum = 0;
    int partners = 0;
    for (const Link& link : rule.alignment) {
      if (static_cast<size_t>(forward ? link.target : link.source) != t) continue;
      const auto* entry = lexicon.find(rule.source[static_cast<size_t>(link.source)],
                                       rule.target[static_cast<size_t>(link.target)]);
      sum += probability(entry, direction, WordLexicon::kLeast);
      ++partners;
    }
    if (partners == 0) {
      const auto* entry =
          forward ? lexicon.find(WordLexicon::kNull, scored[t]) : lexicon.find(scored[t], WordLexicon::kNull);
      sum = probability(entry, direction, WordLexicon::kLeast);
      partners = 1;
    }
    product *= sum / partners;
  }
  return product;
}

double best_lexical_weight(const Rule& rule, const WordLexicon& lexicon, Direction direction) {
  const bool forward = direction == Direction::kTargetGivenSource;
  const std::span<const Symbol> scored = forward ? rule.target : rule.source;
  const std::span<const Symbol> given = forward ? rule.source : rule.target;
  const auto lookup = [&](Symbol word, Symbol from) {
    return probability(forward ? lexicon.find(from, word) : lexicon.find(word, from), direction, 0);
  };
  double product = 1;
  for (const Symbol word : scored) {
    if (is_gap(word)) continue;
    double best = lookup(word, WordLexicon::kNull);
    for (const Symbol from : given)
      if (!is_gap(from)) best = std::max(best, lookup(word, from));
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
        lexical_weight(rule_.view(), lexicon_, Direction::kSourceGivenTarget);
    rule_.read_links(counted.links);
  } else {
    rule_.read_links(counted.links);
    scored.lexical_source_given_target =
        lexical_weight(rule_.view(), lexicon_, Direction::kSourceGivenTarget);
  }
  scored.rule = rule_.view();
  scored.lexical_target_given_source = lexical_weight(scored.rule, lexicon_, Direction::kTargetGivenSource);
  scored.best_lexical_target_given_source =
      best_lexical_weight(scored.rule, lexicon_, Direction::kTargetGivenSource);
  scored.best_lexical_source_given_target =
      best_lexical_weight(scored.rule, lexicon_, Direction::kSourceGivenTarget);
  scored.target_count = weight_value(counted.target_weight);
  scored.source_count = weight_value(group.tally.weight);
  scored.joint_count = weight_value(counted.tally.weight);
  scored.source_given_target = scored.joint_count / scored.target_count;
  scored.target_given_source = scored.joint_count / scored.source_count;
  scored.source_occurrences = group.tally.occurrences;
  scored.occurrences = counted.tally.occurrences;
  return scored;
}

}  // namespace tunesmith
