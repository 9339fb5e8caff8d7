// States of features that look at orientations: what the orientation of the next option depends on.
#pragma once

#include "tunesmith/decode/blocks.h"
#include "tunesmith/decode/feature.h"
#include "tunesmith/tables/reordering.h"

namespace tunesmith::decode {

/// Which orientations a feature reads, and what its states keep for them.
struct OrientationUse {
  tables::OrientationModel model = tables::OrientationModel::kHierarchical;
  tables::OrientationClasses classes = tables::OrientationClasses::kMslr;
  bool keeps_stack = true;   // for backward orientations of the hierarchical model
  bool keeps_before = true;  // the range of the last option, for all others

  bool has_blocks() const { return model == tables::OrientationModel::kHierarchical; }
};

/// The states of one feature and sentence, numbered. `Last` is what the feature keeps of the last option: a
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

  explicit OrientationStates(const OrientationUse& use) : use_(use), has_blocks_(use.has_blocks()) {}

  void begin(const DecoderInput& input) {
    columns_ = input.columns;
    stacks_.clear();
    states_.clear();
  }
  uint32_t start() { return intern({BlockStacks::kEmpty, {0, 0}, Last()}); }
  /// Valid until the next state.
  const State& operator[](uint32_t number) const { return states_[number]; }
  /// The state after an option; `mark` is the mark of its block if it begins one.
  uint32_t next(uint32_t state, Range range, const Last& last, uint32_t mark = 0) {
    State after{BlockStacks::kEmpty, {0, 0}, last};
    if (use_.keeps_stack) after.stack = stacks_.push(states_[state].stack, range, mark);
    if (use_.keeps_before) after.before = range;
    return intern(after);
  }

  /// The class of an option relative to the block on top of the stack, or to the option before it.
  size_t backward_class(const State& state, Range range) const {
    return number(has_blocks_ ? stacks_.orientation(state.stack, range)
                              : orientation_beside(state.before, range));
  }
  /// The class of the last option relative to the one that follows it.
  size_t forward_class(const State& state, const Step& step) const {
    tables::Orientation found = has_blocks_ ? forward_orientation(state.before, step.range, step.coverage)
                                            : orientation_beside(state.before, step.range);
    if (use_.classes == tables::OrientationClasses::kFive &&
        rest_follows(state.before, step.coverage, columns_))
      found = tables::with_global(found);
    return number(found);
  }
  const BlockStacks& stacks() const { return stacks_; }
  size_t bytes() const { return stacks_.bytes() + states_.bytes(); }

 private:
  size_t number(tables::Orientation found) const {
    return static_cast<size_t>(tables::class_of(use_.classes, found));
  }
  uint32_t intern(const State& state) {
    const uint64_t before = uint64_t{state.before.begin} << 32 | state.before.end;
    return states_.number(state, mix(mix(state.stack, state.last.hash()), before));
  }

  OrientationUse use_;
  bool has_blocks_;
  uint32_t columns_ = 0;
  BlockStacks stacks_;
  Interner<State> states_;
};

}  // namespace tunesmith::decode
