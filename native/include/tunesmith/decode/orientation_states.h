// States of features that look at orientations: what the orientation of the next option depends on.
#pragma once

#include <array>

#include "tunesmith/decode/blocks.h"
#include "tunesmith/decode/feature.h"
#include "tunesmith/tables/reordering.h"

namespace tunesmith::decode {

/// Which orientations a feature reads: what options are compared with, and the classes. O(1) per look-up.
class OrientationReading {
 public:
  OrientationReading(tables::OrientationModel model, tables::OrientationClasses classes)
      : has_blocks_(model == tables::OrientationModel::kHierarchical),
        has_global_(classes == tables::OrientationClasses::kFive),
        width_(static_cast<size_t>(tables::class_count(classes))) {
    for (size_t i = 0; i < classes_.size(); ++i)
      classes_[i] = static_cast<uint8_t>(tables::class_of(classes, static_cast<tables::Orientation>(i)));
  }

  bool has_blocks() const { return has_blocks_; }
  bool has_global() const { return has_global_; }
  /// Number of classes.
  size_t width() const { return width_; }
  size_t class_of(tables::Orientation found) const { return classes_[static_cast<size_t>(found)]; }

 private:
  bool has_blocks_, has_global_;
  size_t width_;
  std::array<uint8_t, tables::kOrientations> classes_;
};

/// What states keep.
struct OrientationUse {
  bool keeps_stack = true;   // for backward orientations of the hierarchical model
  bool keeps_before = true;  // the range of the last option, for all others

  OrientationUse operator|(const OrientationUse& other) const {
    return {keeps_stack || other.keeps_stack, keeps_before || other.keeps_before};
  }
};

/// The states of features and one sentence, numbered. `Last` is what they keep of the last option: a
/// type with `operator==` and `hash()`, whose default is the start. O(1) per state, and per orientation but
/// the forward ones of five classes.
template <class Last>
class OrientationStates {
 public:
  struct State {
    uint32_t stack;
    Range before;
    Last last;

    bool operator==(const State&) const = default;
  };

  explicit OrientationStates(const OrientationUse& use) : use_(use) {}

  void begin(const DecoderInput& input) {
    columns_ = input.columns;
    stacks_.clear();
    states_.clear();
  }
  uint32_t start() { return intern({BlockStacks::kEmpty, {0, 0}, Last()}); }
  size_t size() const { return states_.size(); }
  /// Valid until the next state.
  const State& operator[](uint32_t number) const { return states_[number]; }
  /// The state after an option; `mark` is the mark of its block if it begins one.
  uint32_t next(uint32_t state, Range range, const Last& last, uint32_t mark = 0) {
    State after{BlockStacks::kEmpty, {0, 0}, last};
    if (use_.keeps_stack) after.stack = stacks_.push(states_[state].stack, range, mark);
    if (use_.keeps_before) after.before = range;
    return intern(after);
  }

  /// The orientation of an option relative to the block on top of the stack.
  tables::Orientation beside_block(const State& state, Range range) const {
    return stacks_.orientation(state.stack, range);
  }
  /// The class of an option relative to the block on top of the stack, or to the option before it.
  size_t backward_class(const OrientationReading& reading, const State& state, Range range) const {
    return backward_class(reading, state, range,
                          reading.has_blocks() ? beside_block(state, range) : tables::Orientation());
  }
  /// The same for several features at once: `beside` is the result of `beside_block`, if one needs it.
  static size_t backward_class(const OrientationReading& reading, const State& state, Range range,
                               tables::Orientation beside) {
    return reading.class_of(reading.has_blocks() ? beside : orientation_beside(state.before, range));
  }
  /// The class of the last option relative to the one that follows it.
  size_t forward_class(const OrientationReading& reading, const State& state, const Step& step) const {
    tables::Orientation found = reading.has_blocks()
                                    ? forward_orientation(state.before, step.range, step.coverage)
                                    : orientation_beside(state.before, step.range);
    if (reading.has_global() && rest_follows(state.before, step.coverage, columns_))
      found = tables::with_global(found);
    return reading.class_of(found);
  }
  const BlockStacks& stacks() const { return stacks_; }
  size_t bytes() const { return stacks_.bytes() + states_.bytes(); }

 private:
  uint32_t intern(const State& state) {
    const uint64_t before = uint64_t{state.before.begin} << 32 | state.before.end;
    return states_.number(state, mix(mix(state.stack, state.last.hash()), before));
  }

  OrientationUse use_;
  uint32_t columns_ = 0;
  BlockStacks stacks_;
  Interner<State> states_;
};

}  // namespace tunesmith::decode
