// The rules of a derivation in their places: columns of the source words, positions of the target words.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/reestimate/derivation_file.h"

namespace tunesmith::reestimate {

/// The derivation of a sentence by rules, and the sides that they refer to.
struct RuleSteps {
  RowsView<uint32_t> sides, targets;
  std::span<const uint32_t> source;     // words of the sentence
  std::span<const UsedPhrase> phrases;  // of the sentence
  std::span<const uint32_t> side_of;    // by phrase
  std::span<const uint16_t> steps;

  const UsedPhrase& phrase(size_t step) const { return phrases[steps[step]]; }
  std::span<const uint32_t> side(size_t step) const { return sides[side_of[steps[step]]]; }
  std::span<const uint32_t> target(size_t step) const { return targets[phrase(step).target]; }
};

/// Reads derivations, one after the other, into memory that it keeps. A derivation is a row of trees in
/// target order: what glue rules join.
class StepTrees {
 public:
  static constexpr uint32_t kNoColumn = UINT32_MAX;

  /// The rules must be valid one by one. False unless each is followed by those that fill its gaps, and all
  /// source sides are, in their places, different words of the sentence. O(symbols).
  bool read(const RuleSteps& derivation);

  /// Target words of the derivation, and the step that each is of.
  std::span<const uint32_t> words() const { return words_; }
  std::span<const uint32_t> owners() const { return owners_; }
  /// The column of each symbol of the source side of a step; kNoColumn for a gap.
  std::span<const uint32_t> columns(size_t step) const { return part(columns_, first_column_, step); }
  /// The position of each symbol of its target side among the words; of a gap, that of its first word.
  std::span<const uint32_t> places(size_t step) const { return part(places_, first_place_, step); }

 private:
  struct Open {
    uint32_t step;
    uint32_t next;  // symbol of the target side
  };

  static std::span<const uint32_t> part(const std::vector<uint32_t>& all, const std::vector<uint32_t>& first,
                                        size_t step) {
    return std::span(all).subspan(first[step], first[step + 1] - first[step]);
  }
  void open(const RuleSteps& derivation, uint32_t step);
  bool close(const RuleSteps& derivation, uint32_t step);

  std::vector<Open> open_;
  std::vector<uint32_t> words_, owners_;
  std::vector<uint32_t> columns_, first_column_, places_, first_place_;
  std::vector<uint32_t> children_;  // by place of a gap on the target side
  std::vector<uint8_t> covered_;    // by column
};

}  // namespace tunesmith::reestimate
