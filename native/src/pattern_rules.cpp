#include "tunesmith/pattern_rules.h"

#include <algorithm>
#include <cmath>

namespace tunesmith {

float max_lexical_score(const LinkLexicon& lexicon, std::span<const Symbol> source,
                        std::span<const Symbol> target, bool of_source) {
  const auto probability = [&](Symbol word, Symbol given) {
    const auto entry = of_source ? lexicon.find(word, given) : lexicon.find(given, word);
    return of_source ? entry.source_given_target : entry.target_given_source;
  };
  double score = 0;
  for (const Symbol word : of_source ? source : target) {
    if (is_gap(word)) continue;
    float best = probability(word, LinkLexicon::kEmpty);
    for (const Symbol given : of_source ? target : source)
      if (!is_gap(given)) best = std::max(best, probability(word, given));
    score += best > 0 ? -std::log10(static_cast<double>(best)) : kNoLexicalScore;
  }
  return static_cast<float>(score);
}

void PatternRuleExtractor::open(size_t sentence) {
  pair_.source = index_.source().sentence(sentence);
  pair_.target = index_.target().sentence(sentence);
  pair_.links = index_.alignments()[sentence];
  source_reach_.resize(pair_.source.size());
  target_reach_.resize(pair_.target.size());
  make_reaches(pair_.links, source_reach_, target_reach_);
  pair_.source_reach = source_reach_;
  pair_.target_reach = target_reach_;
}

PatternRules PatternRuleExtractor::extract(const Pattern& pattern, std::span<const Occurrence> sample) {
  const RuleLimits& limits = extractor_.limits();
  const auto sides = sides_of(pattern, limits);
  if (tallies_.size() < sides.size()) tallies_.resize(sides.size());
  std::vector<size_t> barren(sides.size(), 0);
  PatternRules result;
  result.occurs = !sample.empty();
  SidePlacer placer(pattern, limits);
  ChunkPlaces words{};
  for (const Occurrence& occurrence : sample) {
    const size_t sentence = index_.source().sentence_of(occurrence.chunks[0]);
    if (result.sentences.empty() || result.sentences.back() != sentence) {
      open(sentence);
      result.sentences.push_back(static_cast<uint32_t>(sentence));
    }
    const uint32_t start = index_.source().starts[sentence];
    for (size_t c = 0; c < static_cast<size_t>(pattern.chunks); ++c)
      words[c] = static_cast<int32_t>(occurrence.chunks[c] - start);
    const auto bits = index_.source().spans.subspan(start, pair_.source.size());
    for (size_t s = 0; s < sides.size(); ++s) {
      bool fertile = false;
      placer.place(sides[s], words, bits, [&](Span source, std::span<const Span> gaps) {
        extractor_.extract_at(pair_, source, gaps, [&](const RuleOccurrence& found) {
          tallies_[s].add(found.rule.target, found.rule.alignment, 1);
          fertile = true;
        });
      });
      barren[s] += !fertile;
    }
  }
  for (size_t s = 0; s < sides.size(); ++s) {
    const auto side = side_symbols(pattern, sides[s]);
    SampledCounts counts;
    counts.samples = static_cast<float>(sample.size());
    counts.barren = static_cast<float>(barren[s]);
    const auto totals = tallies_[s].totals();
    for (const auto& total : totals) counts.source += static_cast<float>(total.count);
    for (const auto& total : totals) {
      counts.joint = static_cast<float>(total.count);
      counts.lex_source_given_target = max_lexical_score(index_.lexicon(), side, total.target, true);
      counts.lex_target_given_source = max_lexical_score(index_.lexicon(), side, total.target, false);
      result.grammar.add(total.target, total.alignment, counts);
    }
    result.grammar.end_side(side);
    tallies_[s].clear();
  }
  return result;
}

}  // namespace tunesmith
