#include "tunesmith/extract/on_demand/pattern_rules.h"

#include <algorithm>

namespace tunesmith::extract::on_demand {

rules::RuleLimits turned_limits(const rules::RuleLimits& limits) {
  rules::RuleLimits turned = limits;
  turned.max_span =
      std::min(rules::kSpanBits, limits.max_target_span > 0 ? limits.max_target_span : 2 * limits.max_span);
  turned.max_target_span = limits.max_span;
  turned.max_symbols = rules::kSpanBits;
  turned.min_hole = 1;
  turned.adjacent_gaps = true;
  return turned;
}

PatternRuleExtractor::PatternRuleExtractor(const SuffixIndex& index, const rules::LinkLexicon& lexicon,
                                           const rules::RuleLimits& limits, PatternSide side, size_t breadth)
    : index_(index),
      lexicon_(lexicon),
      limits_(limits),
      side_(side),
      breadth_(breadth),
      here_(side == PatternSide::kSource ? index.source() : index.target()),
      extractor_(side == PatternSide::kSource ? limits : turned_limits(limits)) {}

void PatternRuleExtractor::open(size_t sentence) {
  const bool turned = side_ == PatternSide::kTarget;
  pair_.source = here_.sentence(sentence);
  pair_.target = (turned ? index_.source() : index_.target()).sentence(sentence);
  pair_.links = index_.alignments()[sentence];
  if (turned) {
    turned_links_.clear();
    for (const corpus::Link link : pair_.links) turned_links_.push_back({link.target, link.source});
    std::sort(turned_links_.begin(), turned_links_.end());
    pair_.links = turned_links_;
  }
  reach_here_.resize(pair_.source.size());
  reach_there_.resize(pair_.target.size());
  rules::make_reaches(pair_.links, reach_here_, reach_there_);
  pair_.source_reach = reach_here_;
  pair_.target_reach = reach_there_;
  opened_ = true;
}

bool PatternRuleExtractor::allows(const rules::RuleOccurrence& turned) const {
  const auto symbols = turned.rule.target;
  if (static_cast<int>(symbols.size()) > limits_.max_symbols) return false;
  for (size_t gap = 0; gap < turned.gap_count; ++gap)
    if (turned.gaps[gap].target.size() < limits_.min_hole) return false;
  const auto both_gaps = [](grammar::Symbol a, grammar::Symbol b) {
    return grammar::is_gap(a) && grammar::is_gap(b);
  };
  return limits_.adjacent_gaps ||
         std::adjacent_find(symbols.begin(), symbols.end(), both_gaps) == symbols.end();
}

PatternRules PatternRuleExtractor::extract(const Pattern& pattern, std::span<const Occurrence> sample) {
  const auto sides = sides_of(pattern, extractor_.limits());
  if (tallies_.size() < sides.size()) tallies_.resize(sides.size());
  std::vector<size_t> without_rule(sides.size(), 0);
  PatternRules result;
  result.occurs = !sample.empty();
  SidePlacer placer(pattern, extractor_.limits());
  ChunkPositions words{};
  for (const Occurrence& occurrence : sample) {
    const auto sentence = static_cast<uint32_t>(here_.sentence_of(occurrence.chunks[0]));
    if (result.sentences.empty() || result.sentences.back() != sentence) {
      result.sentences.push_back(sentence);
      opened_ = false;
    }
    const uint32_t start = here_.starts[sentence];
    for (size_t c = 0; c < static_cast<size_t>(pattern.chunks); ++c)
      words[c] = static_cast<int32_t>(occurrence.chunks[c] - start);
    const auto bits = here_.spans.subspan(start, here_.sentence(sentence).size());
    for (size_t s = 0; s < sides.size(); ++s) {
      if ((pattern.sides >> s & 1) == 0) continue;
      bool has_rule = false;
      placer.place(sides[s], words, bits, [&](rules::Span source, std::span<const rules::Span> gaps) {
        if (!opened_) open(sentence);
        extractor_.extract_at(pair_, source, gaps, [&](const rules::RuleOccurrence& found) {
          if (side_ == PatternSide::kTarget && !allows(found)) return;
          tallies_[s].add(found.rule.target, found.rule.alignment);
          has_rule = true;
        });
      });
      without_rule[s] += !has_rule;
    }
  }
  for (size_t s = 0; s < sides.size(); ++s) {
    SampledCounts counts;
    counts.samples = static_cast<float>(sample.size());
    counts.without_rule = static_cast<float>(without_rule[s]);
    score(side_symbols(pattern, sides[s]), counts, tallies_[s], result.grammar);
    tallies_[s].clear();
  }
  return result;
}

void PatternRuleExtractor::score(std::span<const grammar::Symbol> side, SampledCounts counts,
                                 const TargetTally& tally, Grammar& grammar) const {
  auto totals = tally.totals();
  for (const auto& total : totals) counts.source += static_cast<float>(total.count);
  if (breadth_ > 0 && totals.size() > breadth_) cut(side, totals);
  for (const auto& total : totals) {
    counts.joint = static_cast<float>(total.count);
    if (side_ == PatternSide::kSource) {
      const auto best = lexicon_.best_costs(side, total.target);
      counts.lex_source_given_target = best.source_given_target;
      counts.lex_target_given_source = best.target_given_source;
    }
    grammar.add(total.target, total.alignment, counts);
  }
  grammar.end_side(side);
}

void PatternRuleExtractor::cut(std::span<const grammar::Symbol> side,
                               std::vector<TargetTally::Total>& totals) const {
  const uint32_t least = totals[breadth_ - 1].count;
  const auto frequent = [&](const TargetTally::Total& total) { return total.count > least; };
  const auto tied = std::find_if_not(totals.begin(), totals.end(), frequent);
  std::vector<std::pair<float, TargetTally::Total>> costs;
  for (auto total = tied; total != totals.end() && total->count == least; ++total) {
    const auto best = lexicon_.best_costs(side, total->target);
    costs.emplace_back(best.source_given_target + best.target_given_source, *total);
  }
  std::stable_sort(costs.begin(), costs.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  totals.resize(breadth_);
  for (auto [total, kept] = std::pair(tied, costs.begin()); total != totals.end(); ++total, ++kept)
    *total = kept->second;
}

}  // namespace tunesmith::extract::on_demand
