#include "tunesmith/extract/on_demand/target_counts.h"

#include <algorithm>
#include <unordered_map>

namespace tunesmith::extract::on_demand {

namespace {

/// An inverted rule: gaps are numbered in the order of the target side.
struct TurnedRule {
  Pattern pattern;
  GapCounts gaps{};
  std::vector<grammar::Symbol> source;
};

/// Inverts a rule; returns false if the target side is too long to be looked up.
bool turn(std::span<const grammar::Symbol> source, std::span<const grammar::Symbol> target,
          TurnedRule& turned) {
  turned = {};
  turned.pattern.chunks = 0;
  grammar::Symbol first_gap = 0;
  bool in_chunk = false;
  for (const grammar::Symbol symbol : target) {
    if (grammar::is_gap(symbol)) {
      if (first_gap == 0) first_gap = symbol;
      ++turned.gaps[static_cast<size_t>(turned.pattern.chunks)];
    } else {
      if (!in_chunk) ++turned.pattern.chunks;
      ++turned.pattern.lengths[static_cast<size_t>(turned.pattern.chunks) - 1];
      turned.pattern.words.push_back(symbol);
    }
    in_chunk = !grammar::is_gap(symbol);
  }
  const auto renamed = [&](grammar::Symbol symbol) { return symbol == first_gap ? -1 : -2; };
  for (const grammar::Symbol symbol : source)
    turned.source.push_back(grammar::is_gap(symbol) ? renamed(symbol) : symbol);
  return target.size() <= static_cast<size_t>(rules::kSpanBits);
}

/// Sets the target counts of a rule from the rules of its target pattern.
void count(const Grammar& found, const TurnedRule& turned, SampledCounts& counts) {
  for (size_t rule = 0; rule < found.size(); ++rule) {  // all of one side: only one was requested
    counts.target = found.counts[rule].source;
    if (std::ranges::equal(found.target_side(rule), turned.source)) {
      counts.target_joint = found.counts[rule].joint;
      return;
    }
  }
}

}  // namespace

void count_targets(RuleFinder& targets, const rules::RuleLimits& limits, std::span<const int64_t> excluded,
                   Grammar& grammar) {
  std::unordered_map<Pattern, size_t, PatternHash> numbers;
  std::vector<Pattern> patterns;
  std::vector<std::pair<TurnedRule, size_t>> turned;  // with the number of its pattern
  const size_t too_long = SIZE_MAX;
  const rules::RuleLimits seen_limits = turned_limits(limits);
  for (size_t side = 0; side < grammar.sides(); ++side)
    for (auto rule = static_cast<size_t>(grammar.rules[side]);
         rule < static_cast<size_t>(grammar.rules[side + 1]); ++rule) {
      auto& [now, number] = turned.emplace_back(TurnedRule(), too_long);
      if (!turn(grammar.source_side(side), grammar.target_side(rule), now)) continue;
      const auto sides = sides_of(now.pattern, seen_limits);
      const auto index = std::find(sides.begin(), sides.end(), now.gaps) - sides.begin();
      if (index >= static_cast<std::ptrdiff_t>(sides.size())) continue;
      now.pattern.sides = uint32_t{1} << index;
      const auto [known, is_new] = numbers.try_emplace(now.pattern, patterns.size());
      if (is_new) patterns.push_back(now.pattern);
      number = known->second;
    }
  const auto rules = targets.find(patterns, excluded);
  for (size_t rule = 0; rule < grammar.size(); ++rule) {
    SampledCounts& counts = grammar.counts[rule];
    const auto& [now, number] = turned[rule];
    counts.target = counts.target_joint = 0;
    if (number != too_long) count(rules[number]->grammar, now, counts);
    // The sample may lack the rule, but at least one occurrence is known.
    if (counts.target_joint == 0) counts.target_joint = number == too_long ? counts.joint : 1;
    counts.target = std::max(counts.target, counts.target_joint);
  }
}

}  // namespace tunesmith::extract::on_demand
