// The scores of a lexicalized reordering model, read off the states of a session that may serve other
// features.
#pragma once

#include "tunesmith/decode/features/reordering.h"
#include "tunesmith/decode/orientation_states.h"
#include "tunesmith/tables/phrase_table.h"

namespace tunesmith::decode::features {

/// The last option, as far as forward orientations need it: null for an unknown word.
struct LastOption {
  uint32_t row = kNoNumber;
  const float* prepared = nullptr;  // weighted scores of all features
  const float* probability = nullptr;

  /// Equal rows have equal probabilities of all reordering models.
  bool operator==(const LastOption& other) const { return row == other.row; }
  uint64_t hash() const { return row; }

  static LastOption of(const Option& option) {
    if (option.reordering.empty()) return {};
    return {option.reordering_row, option.prepared.data(), option.reordering.data()};
  }
};

/// One reordering model at work. `offset` is where its floats begin in `Option::prepared`.
class LexicalOrientations {
 public:
  LexicalOrientations(const ReorderingFeature& feature, size_t offset)
      : reading_(feature.model().model, feature.model().classes),
        is_backward_(feature.model().backward),
        is_forward_(feature.model().forward),
        first_column_(feature.first_column()),
        offset_(offset),
        forward_(is_backward_ ? reading_.width() : 0) {}

  OrientationUse use() const {
    return {reading_.has_blocks() && is_backward_, !reading_.has_blocks() || is_forward_};
  }
  /// Whether states must keep the last option.
  bool is_forward() const { return is_forward_; }

  /// Whether it needs the orientation beside the block on top of the stack.
  bool reads_blocks() const { return reading_.has_blocks() && is_backward_; }

  /// The weighted score of a step. `last` is the option before it, `beside` the orientation of the step
  /// beside the block on top of the stack.
  template <class States, class State>
  float score(const States& states, const State& state, const LastOption& last, const Step& step,
              tables::Orientation beside) const {
    float score = 0;
    if (is_backward_ && !step.option.reordering.empty())
      score += step.option.prepared[offset_ + states.backward_class(reading_, state, step.range, beside)];
    if (is_forward_ && last.prepared != nullptr)
      score += last.prepared[offset_ + forward_ + states.forward_class(reading_, state, step)];
    return score;
  }
  /// Calls add(column, value) with the unweighted values.
  template <class States, class State, class Add>
  void values(const States& states, const State& state, const LastOption& last, const Step& step,
              Add add) const {
    if (is_backward_ && !step.option.reordering.empty()) {
      const size_t found = states.backward_class(reading_, state, step.range);
      add(found, tables::log_score(step.option.reordering[first_column_ + found]));
    }
    if (is_forward_ && last.probability != nullptr) {
      const size_t found = forward_ + states.forward_class(reading_, state, step);
      add(found, tables::log_score(last.probability[first_column_ + found]));
    }
  }

 private:
  OrientationReading reading_;
  bool is_backward_, is_forward_;
  size_t first_column_, offset_, forward_;
};

}  // namespace tunesmith::decode::features
