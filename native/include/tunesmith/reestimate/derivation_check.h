// Checks of derivations that come from files or from callers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "tunesmith/reestimate/derivation_file.h"
#include "tunesmith/reestimate/step_trees.h"

namespace tunesmith::reestimate {

/// Links of a phrase pair must be sorted, without repeats, and between its words.
inline bool are_links(std::span<const PhraseLink> links, size_t source_words, size_t target_words) {
  for (size_t i = 0; i < links.size(); ++i) {
    if (links[i].source >= source_words || links[i].target >= target_words) return false;
    if (i > 0 &&
        std::pair(links[i - 1].source, links[i - 1].target) >= std::pair(links[i].source, links[i].target))
      return false;
  }
  return true;
}

/// Checks the derivations of a sentence by phrases.
class DerivationCheck {
 public:
  DerivationCheck(RowsView<uint32_t> targets, RowsView<PhraseLink> links)
      : targets_(targets), links_(links) {}

  bool is_phrase(const UsedPhrase& phrase, size_t columns) const {
    return phrase.begin < phrase.end && phrase.end <= columns && phrase.target < targets_.size() &&
           phrase.links < links_.size() && static_cast<size_t>(phrase.origin) < kPhraseOrigins &&
           are_links(links_[phrase.links], static_cast<size_t>(phrase.end - phrase.begin),
                     targets_[phrase.target].size());
  }

  /// Whether steps are phrases of different columns, with the words that the derivation claims.
  bool is_derivation(std::span<const uint16_t> steps, std::span<const UsedPhrase> phrases, size_t columns,
                     size_t length) {
    covered_.assign(columns, 0);
    size_t words = 0;
    for (const uint16_t step : steps) {
      if (step >= phrases.size()) return false;
      const UsedPhrase& phrase = phrases[step];
      for (size_t column = phrase.begin; column < phrase.end; ++column)
        if (std::exchange(covered_[column], 1) != 0) return false;
      words += targets_[phrase.target].size();
    }
    return words == length;
  }

 private:
  RowsView<uint32_t> targets_;
  RowsView<PhraseLink> links_;
  std::vector<uint8_t> covered_;
};

/// Checks the derivations of a sentence by rules.
class RuleDerivationCheck {
 public:
  RuleDerivationCheck(RowsView<uint32_t> sides, RowsView<uint32_t> targets, RowsView<PhraseLink> links)
      : sides_(sides), targets_(targets), links_(links) {}

  bool is_rule(const UsedPhrase& phrase, uint32_t side, size_t columns) {
    return phrase.begin <= phrase.end && phrase.end <= columns && phrase.target < targets_.size() &&
           side < sides_.size() && phrase.links < links_.size() &&
           static_cast<size_t>(phrase.origin) < kPhraseOrigins &&
           have_equal_gaps(sides_[side], targets_[phrase.target]) &&
           are_links_of(links_[phrase.links], sides_[side], targets_[phrase.target]);
  }

  /// Whether steps are trees of rules over different columns, with the words that the derivation claims.
  bool is_derivation(std::span<const uint16_t> steps, std::span<const UsedPhrase> phrases,
                     std::span<const uint32_t> side_of, std::span<const uint32_t> source, size_t length) {
    for (const uint16_t step : steps)
      if (step >= phrases.size()) return false;
    return trees_.read({sides_, targets_, source, phrases, side_of, steps}) &&
           trees_.words().size() == length;
  }

 private:
  /// Gaps are numbered from left to right on the source side, and each is on the target side once.
  bool have_equal_gaps(std::span<const uint32_t> side, std::span<const uint32_t> target) {
    size_t gaps = 0;
    for (const uint32_t symbol : side)
      if (is_gap(symbol) && gap_index(symbol) != gaps++) return false;
    seen_.assign(gaps, 0);
    for (const uint32_t symbol : target) {
      if (!is_gap(symbol)) continue;
      if (gap_index(symbol) >= seen_.size() || std::exchange(seen_[gap_index(symbol)], 1) != 0) return false;
      --gaps;
    }
    return gaps == 0;
  }
  static bool are_links_of(std::span<const PhraseLink> links, std::span<const uint32_t> side,
                           std::span<const uint32_t> target) {
    return are_links(links, side.size(), target.size()) &&
           std::none_of(links.begin(), links.end(), [&](const PhraseLink& link) {
             return is_gap(side[link.source]) || is_gap(target[link.target]);
           });
  }

  RowsView<uint32_t> sides_, targets_;
  RowsView<PhraseLink> links_;
  StepTrees trees_;
  std::vector<uint8_t> seen_;
};

}  // namespace tunesmith::reestimate
