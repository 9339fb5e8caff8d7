#include "tunesmith/extract/rules/extraction.h"

#include <string>

#include "tunesmith/base/errors.h"

namespace tunesmith::extract::rules {

void make_reaches(std::span<const corpus::Link> links, std::span<Reach> source_reach,
                  std::span<Reach> target_reach) {
  std::fill(source_reach.begin(), source_reach.end(), kUnaligned);
  std::fill(target_reach.begin(), target_reach.end(), kUnaligned);
  const auto widen = [](Reach& reach, int32_t position) {
    reach = {std::min(reach.begin, position), std::max(reach.end, position + 1)};
  };
  for (const corpus::Link& link : links) {
    widen(source_reach[static_cast<size_t>(link.source)], link.target);
    widen(target_reach[static_cast<size_t>(link.target)], link.source);
  }
}

bool RuleExtractor::allows(Span source, std::span<const Span> gaps) const {
  if (source.size() > limits_.max_span || gaps.size() > static_cast<size_t>(limits_.max_gaps)) return false;
  int32_t words = source.size();
  int32_t free_from = source.begin;
  for (size_t i = 0; i < gaps.size(); ++i) {
    const Span gap = gaps[i];
    const bool apart = i == 0 || limits_.adjacent_gaps || gap.begin > free_from;
    if (gap.begin < free_from || gap.end > source.end || gap.size() < limits_.min_hole || !apart)
      return false;
    words -= gap.size();
    free_from = gap.end;
  }
  return words >= 1 && words + static_cast<int32_t>(gaps.size()) <= limits_.max_symbols;
}

bool RuleExtractor::leaves_words(const AlignedPair& pair, const PhraseSpans& phrase,
                                 std::span<const PhraseSpans> gaps) const {
  int32_t left = phrase.target.size();
  for (const PhraseSpans& gap : gaps) left -= gap.target.size();
  if (left < 1) return false;
  if (!limits_.require_link) return true;
  // A source word outside of the gaps is linked only to target words outside of them.
  int32_t i = phrase.source.begin;
  for (const PhraseSpans& gap : gaps) {
    for (; i < gap.source.begin; ++i)
      if (is_aligned(pair.source_reach[static_cast<size_t>(i)])) return true;
    i = gap.source.end;
  }
  for (; i < phrase.source.end; ++i)
    if (is_aligned(pair.source_reach[static_cast<size_t>(i)])) return true;
  return false;
}

const RuleOccurrence& RuleExtractor::build(const AlignedPair& pair, const PhraseSpans& phrase,
                                           std::span<const PhraseSpans> gaps) {
  source_.clear();
  target_.clear();
  alignment_.clear();
  position_.assign(static_cast<size_t>(phrase.source.size()), -1);
  size_t gap = 0;
  for (int32_t i = phrase.source.begin; i < phrase.source.end;) {
    if (gap < gaps.size() && gaps[gap].source.begin == i) {
      i = gaps[gap].source.end;
      source_.push_back(grammar::gap_symbol(gap++));
    } else {
      position_[static_cast<size_t>(i - phrase.source.begin)] = static_cast<int32_t>(source_.size());
      source_.push_back(pair.source[static_cast<size_t>(i++)]);
    }
  }

  for (int32_t j = phrase.target.begin; j < phrase.target.end;) {
    size_t at = 0;
    while (at < gaps.size() && gaps[at].target.begin != j) ++at;
    if (at < gaps.size()) {
      j = gaps[at].target.end;
      target_.push_back(grammar::gap_symbol(at));
    } else {
      target_.push_back(pair.target[static_cast<size_t>(j++)]);
    }
  }
  const auto target_position = [&](int32_t j) {  // each gap before j is one symbol
    int32_t position = j - phrase.target.begin;
    for (const PhraseSpans& each : gaps)
      if (each.target.end <= j) position -= each.target.size() - 1;
    return position;
  };
  auto link = std::lower_bound(pair.links.begin(), pair.links.end(), corpus::Link{phrase.source.begin, 0});
  for (; link != pair.links.end() && link->source < phrase.source.end; ++link) {
    const int32_t position = position_[static_cast<size_t>(link->source - phrase.source.begin)];
    if (position >= 0) alignment_.push_back({position, target_position(link->target)});
  }
  occurrence_.rule = {source_, target_, alignment_};
  occurrence_.phrase = phrase;
  std::copy(gaps.begin(), gaps.end(), occurrence_.gaps.begin());
  occurrence_.gap_count = gaps.size();
  return occurrence_;
}

void RuleExtractor::find_gaps(const AlignedPair& pair, Span source) {
  phrases_.clear();
  if (limits_.max_gaps == 0 || limits_.max_symbols < 2) return;
  for (int32_t begin = source.begin; begin < source.end; ++begin)
    for (int32_t end = begin + limits_.min_hole; end <= source.end; ++end)
      if (end - begin < source.size())
        for_each_phrase(pair, limits_, {begin, end},
                        [&](const PhraseSpans& each) { phrases_.push_back(each); });
}

void RuleExtractor::choose_gaps(const AlignedPair& pair, const PhraseSpans& phrase) {
  choices_.clear();
  const auto consider = [&](std::span<const PhraseSpans> gaps, Choice choice) {
    std::array<Span, grammar::kMaxGaps> sources;
    for (size_t i = 0; i < gaps.size(); ++i) sources[i] = gaps[i].source;
    if (allows(phrase.source, {sources.data(), gaps.size()}) && leaves_words(pair, phrase, gaps))
      choices_.push_back(choice);
  };
  consider({}, {});
  for (size_t first = 0; first < phrases_.size(); ++first) {
    std::array<PhraseSpans, grammar::kMaxGaps> gaps{phrases_[first]};
    if (!phrase.target.contains(gaps[0].target)) continue;
    consider({gaps.data(), 1}, {static_cast<int32_t>(first)});
    if (limits_.max_gaps < 2) continue;
    for (size_t second = first + 1; second < phrases_.size(); ++second) {
      gaps[1] = phrases_[second];
      if (gaps[1].source.begin < gaps[0].source.end || !phrase.target.contains(gaps[1].target) ||
          gaps[0].target.overlaps(gaps[1].target))
        continue;
      consider({gaps.data(), 2}, {static_cast<int32_t>(first), static_cast<int32_t>(second)});
    }
  }
}

int64_t RuleExtractor::count_rules(const AlignedPair& pair, const PhraseSpans& phrase) {
  find_gaps(pair, phrase.source);
  choose_gaps(pair, phrase);
  return static_cast<int64_t>(choices_.size());
}

}  // namespace tunesmith::extract::rules
