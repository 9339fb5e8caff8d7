// The words that features of orientations look at: of an option, of what is on top of the stack, and between.
#pragma once

#include "tunesmith/decode/features/sparse_reordering.h"

namespace tunesmith::decode::features {

/// The sets of the words at the borders of a phrase or block.
struct Borders {
  uint32_t source_first, source_last, target_first, target_last;

  /// Calls visit(place, set) for the four words, whose places begin with `first`.
  template <class Visit>
  void for_each(WordPlace first, Visit visit) const {
    const auto place = [&](uint8_t i) { return static_cast<WordPlace>(static_cast<uint8_t>(first) + i); };
    visit(place(0), source_first);
    visit(place(1), source_last);
    visit(place(2), target_first);
    visit(place(3), target_last);
  }
};

/// The sets of the first and the last target word of the last option, as far as states keep them.
struct LastWords {
  uint32_t first = LabelSets::kNone, last = LabelSets::kNone;

  bool operator==(const LastWords&) const = default;
  uint64_t hash() const { return uint64_t{first} << 32 | last; }
};

/// Whether features look at the backward orientation of an option.
inline bool reads_backward(const SparseReorderingParts& parts) {
  return parts.has_phrase || parts.has_between || parts.has_identities || parts.stack == StackWords::kBlock;
}

/// The places of words that features look at.
inline std::vector<WordPlace> places_of(const SparseReorderingParts& parts) {
  std::vector<WordPlace> places;
  const auto add = [&](WordPlace first, uint8_t count) {
    for (uint8_t i = 0; i < count; ++i)
      places.push_back(static_cast<WordPlace>(static_cast<uint8_t>(first) + i));
  };
  if (parts.has_phrase) add(WordPlace::kPhraseSourceFirst, 4);
  if (parts.stack != StackWords::kNone) add(WordPlace::kStackSourceFirst, 4);
  if (parts.has_between) add(WordPlace::kBetween, 1);
  return places;
}

/// What states keep for the parts.
inline OrientationUse use_of(const SparseReorderingParts& parts) {
  const bool has_blocks = parts.model == tables::OrientationModel::kHierarchical;
  const bool has_previous = parts.stack == StackWords::kPrevious;
  // The words between are those beside the previous option, unless blocks are what stands on the stack.
  const bool has_gap = parts.has_between && parts.stack != StackWords::kBlock;
  return {has_blocks && reads_backward(parts), !has_blocks || has_previous || has_gap};
}

/// The words of one sentence. O(1) per option or state.
class OrientedWords {
 public:
  OrientedWords(const SparseReorderingParts& parts, const SourceLabelSets& source,
                const TargetLabelSets& target)
      : parts_(parts), source_(source), target_(target) {}

  void begin(const DecoderInput& input) {
    words_ = input.words;
    columns_.clear();
    for (const std::string_view word : input.source) columns_.push_back(parts_.source->number(word));
  }
  const TargetWords& words() const { return words_; }
  /// The sets of the source words by column; empty for a lattice.
  std::span<const uint32_t> columns() const { return columns_; }
  bool has_block() const { return parts_.stack == StackWords::kBlock; }

  /// Those of an option. In a lattice its source words are those of its own source side.
  Borders phrase(const Step& step) const {
    const auto ends = columns_.empty() ? source_.ends(step.option, words_) : ends_of(step.range);
    const auto target = step.option.words;
    if (target.empty()) return {ends.first, ends.last, LabelSets::kNone, LabelSets::kNone};
    return {ends.first, ends.last, target_.number(target.front(), words_),
            target_.number(target.back(), words_)};
  }
  /// What is on top of the stack; it has no source words in a lattice.
  template <class States, class State>
  Borders top(const States& states, const State& state, const LastWords& last) const {
    const auto ends = ends_of(top_range(states, state));
    return {ends.first, ends.last, has_block() ? states.stacks().mark(state.stack) : last.first, last.last};
  }
  /// Whether nothing is on the stack.
  template <class State>
  bool is_start(const State& state) const {
    return has_block() ? state.stack == BlockStacks::kEmpty : state.before.end == 0;
  }
  /// The source columns between what is on top of the stack and a range.
  template <class States, class State>
  Range gap(const States& states, const State& state, Range range) const {
    const Range before = top_range(states, state);
    return range.begin >= before.end ? Range{before.end, range.begin} : Range{range.end, before.begin};
  }
  /// What a state keeps of an option.
  LastWords kept(const Borders& own) const {
    if (parts_.stack == StackWords::kPrevious) return {own.target_first, own.target_last};
    return {LabelSets::kNone, has_block() ? own.target_last : LabelSets::kNone};
  }
  /// What blocks keep of the option that began them.
  uint32_t mark(const Borders& own) const { return has_block() ? own.target_first : 0; }

 private:
  SourceLabelSets::Ends ends_of(Range range) const {
    if (columns_.empty()) return {};
    return {columns_[range.begin], columns_[range.end - 1]};
  }
  template <class States, class State>
  Range top_range(const States& states, const State& state) const {
    return has_block() ? states.stacks().top(state.stack) : state.before;
  }

  const SparseReorderingParts& parts_;
  const SourceLabelSets& source_;
  const TargetLabelSets& target_;
  TargetWords words_;
  std::vector<uint32_t> columns_;
};

/// Two classes have no discontinuous orientation; the third and the fourth of all others are.
inline bool is_discontinuous(size_t orientation) { return orientation == 2 || orientation == 3; }

}  // namespace tunesmith::decode::features
