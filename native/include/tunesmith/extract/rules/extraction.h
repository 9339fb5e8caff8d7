// Extraction of hierarchical rules (Chiang 2007, section 3.2): all of a sentence pair, or those of a pattern.
//
// An initial phrase pair is a source span and a target span with at least one link between them and no link
// from inside of one to outside of the other. A rule is an initial phrase pair in which up to two inner
// initial phrase pairs are replaced by gaps. With `tight`, the outer words of initial phrases are aligned, so
// that a source span has at most one target span; without it, spans extend over unaligned words, and a source
// pattern at one position may give several rules.
//
// Counts. An occurrence of a rule is identified by its source and target spans and those of its gaps. Each
// call of a body below is one occurrence; it counts 1 or, with fractional counts, 1 / (number of rules of the
// same initial phrase pair). Global extraction and per-sentence grammars share these functions, and so have
// the same counts.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/extract/rules/limits.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::extract::rules {

/// Word positions [begin, end).
struct Span {
  int32_t begin = 0;
  int32_t end = 0;

  int32_t size() const { return end - begin; }
  bool contains(const Span& other) const { return begin <= other.begin && other.end <= end; }
  bool overlaps(const Span& other) const { return begin < other.end && other.begin < end; }
  friend bool operator==(const Span&, const Span&) = default;
};

/// The smallest span with all words linked to a word; `end` is 0 if it is unaligned.
using Reach = Span;
inline constexpr Reach kUnaligned{INT32_MAX, 0};
inline bool is_aligned(const Reach& reach) { return reach.end > 0; }

/// A sentence pair and the reach of each word, computed by make_reaches. Not owned, so that a corpus may
/// store the reaches of all pairs in flat arrays.
struct AlignedPair {
  std::span<const int32_t> source;
  std::span<const int32_t> target;
  std::span<const corpus::Link> links;  // sorted by source, then target
  std::span<const Reach> source_reach;
  std::span<const Reach> target_reach;
};

/// Computes the reach of each word. The links must be within the sentences, as check_alignments ensures.
void make_reaches(std::span<const corpus::Link> links, std::span<Reach> source_reach,
                  std::span<Reach> target_reach);

struct PhraseSpans {
  Span source;
  Span target;
  friend bool operator==(const PhraseSpans&, const PhraseSpans&) = default;
};

/// An occurrence of a rule. The spans in `rule` are valid during the call only. Gaps are in source order.
struct RuleOccurrence {
  grammar::Rule rule;
  PhraseSpans phrase;
  std::array<PhraseSpans, grammar::kMaxGaps> gaps;
  size_t gap_count = 0;
};

/// Calls body(PhraseSpans) for each initial phrase pair of a source span; with `tight` there is at most one,
/// and none if the source span exceeds the limit. O(words of both spans) plus calls.
template <class Body>
void for_each_phrase(const AlignedPair& pair, const RuleLimits& limits, Span source, Body body);

/// Extracts rules from many sentence pairs; reuses its memory. One per thread.
class RuleExtractor {
 public:
  /// Throws InputError if the limits are invalid.
  explicit RuleExtractor(const RuleLimits& limits) : limits_(limits) { check_limits(limits); }

  const RuleLimits& limits() const { return limits_; }

  /// Calls body(const RuleOccurrence&) for each rule whose source side covers `source` with gaps at `gaps`,
  /// which must be within it, in order and disjoint. Patterns that violate the limits give no rules.
  template <class Body>
  void extract_at(const AlignedPair& pair, Span source, std::span<const Span> gaps, Body body);

  /// Calls body(const RuleOccurrence&, int64_t siblings) for each rule of the pair; siblings is the number of
  /// rules of the same initial phrase pair, this one included. The order is deterministic: by source span,
  /// target span, then gaps.
  template <class Body>
  void extract_all(const AlignedPair& pair, Body body);

  /// The number of rules of an initial phrase pair, for fractional counts of single occurrences.
  int64_t count_rules(const AlignedPair& pair, const PhraseSpans& phrase);

 private:
  bool allows(Span source, std::span<const Span> gaps) const;
  /// Whether the gaps leave a word on each side, and a link if required.
  bool leaves_words(const AlignedPair& pair, const PhraseSpans& phrase,
                    std::span<const PhraseSpans> gaps) const;
  const RuleOccurrence& build(const AlignedPair& pair, const PhraseSpans& phrase,
                              std::span<const PhraseSpans> gaps);
  /// Fills phrases_ with the initial phrase pairs within a span that may be gaps.
  void find_gaps(const AlignedPair& pair, Span source);
  /// Fills choices_ with the rules of an initial phrase pair, as indices of their gaps in phrases_.
  void choose_gaps(const AlignedPair& pair, const PhraseSpans& phrase);

  struct Choice {
    int32_t first = -1;
    int32_t second = -1;
  };

  RuleLimits limits_;
  std::vector<grammar::Symbol> source_;
  std::vector<grammar::Symbol> target_;
  std::vector<corpus::Link> alignment_;
  std::vector<int32_t> position_;  // in the rule, of each source word of the phrase; -1 within a gap
  RuleOccurrence occurrence_;
  std::vector<PhraseSpans> phrases_;
  std::vector<Choice> choices_;
};

// ---------------------------------------------------------------------------------------------------------

template <class Body>
void for_each_phrase(const AlignedPair& pair, const RuleLimits& limits, Span source, Body body) {
  const auto reaches = [](std::span<const Reach> words, Span inside) {
    Reach all = kUnaligned;
    for (int32_t i = inside.begin; i < inside.end; ++i) {
      all.begin = std::min(all.begin, words[static_cast<size_t>(i)].begin);
      all.end = std::max(all.end, words[static_cast<size_t>(i)].end);
    }
    return all;
  };
  if (source.size() < 1 || source.size() > limits.max_span) return;
  const auto source_aligned = [&](int32_t i) {
    return is_aligned(pair.source_reach[static_cast<size_t>(i)]);
  };
  if (limits.tight && !(source_aligned(source.begin) && source_aligned(source.end - 1))) return;
  const Span least = reaches(pair.source_reach, source);
  const int32_t longest = limits.max_target_span > 0 ? limits.max_target_span : INT32_MAX;
  if (!is_aligned(least) || least.size() > longest) return;
  if (!source.contains(reaches(pair.target_reach, least))) return;
  if (limits.tight) return body(PhraseSpans{source, least});

  const auto target_free = [&](int32_t j) { return !is_aligned(pair.target_reach[static_cast<size_t>(j)]); };
  const auto last = static_cast<int32_t>(pair.target.size());
  for (int32_t begin = least.begin; begin >= 0 && least.end - begin <= longest; --begin) {
    if (begin < least.begin && !target_free(begin)) break;
    for (int32_t end = least.end; end <= last && end - begin <= longest; ++end) {
      if (end > least.end && !target_free(end - 1)) break;
      body(PhraseSpans{source, {begin, end}});
    }
  }
}

template <class Body>
void RuleExtractor::extract_at(const AlignedPair& pair, Span source, std::span<const Span> gaps, Body body) {
  if (!allows(source, gaps)) return;
  std::array<PhraseSpans, grammar::kMaxGaps> chosen;
  for_each_phrase(pair, limits_, source, [&](const PhraseSpans& phrase) {
    const auto finish = [&](size_t count) {
      const std::span<const PhraseSpans> all(chosen.data(), count);
      if (leaves_words(pair, phrase, all)) body(build(pair, phrase, all));
    };
    if (gaps.empty()) return finish(0);
    for_each_phrase(pair, limits_, gaps[0], [&](const PhraseSpans& first) {
      if (!phrase.target.contains(first.target)) return;
      chosen[0] = first;
      if (gaps.size() == 1) return finish(1);
      for_each_phrase(pair, limits_, gaps[1], [&](const PhraseSpans& second) {
        if (!phrase.target.contains(second.target) || first.target.overlaps(second.target)) return;
        chosen[1] = second;
        finish(2);
      });
    });
  });
}

template <class Body>
void RuleExtractor::extract_all(const AlignedPair& pair, Body body) {
  const auto length = static_cast<int32_t>(pair.source.size());
  for (int32_t begin = 0; begin < length; ++begin)
    for (int32_t end = begin + 1; end <= length && end - begin <= limits_.max_span; ++end) {
      bool first = true;
      for_each_phrase(pair, limits_, {begin, end}, [&](const PhraseSpans& phrase) {
        if (first) find_gaps(pair, {begin, end});
        first = false;
        choose_gaps(pair, phrase);
        std::array<PhraseSpans, grammar::kMaxGaps> gaps;
        for (const Choice& choice : choices_) {
          size_t count = 0;
          for (const int32_t gap : {choice.first, choice.second})
            if (gap >= 0) gaps[count++] = phrases_[static_cast<size_t>(gap)];
          body(build(pair, phrase, {gaps.data(), count}), static_cast<int64_t>(choices_.size()));
        }
      });
    }
}

}  // namespace tunesmith::extract::rules
