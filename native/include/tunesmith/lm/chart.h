// Language model scores of partial translations that a chart decoder combines in any order.
#pragma once

#include <span>

#include "tunesmith/lm/model.h"

namespace tunesmith::lm {

/// Left state: the first words of a partial translation, whose probabilities may still change when words are
/// prepended. Each of them and all words before it matched an n-gram that is the suffix of a longer n-gram of
/// the model (Li and Khudanpur 2008; Heafield et al. 2011).
struct LmLeft {
  uint32_t length = 0;
  bool full = false;  // prepended words cannot change the probabilities of more words than these
  int32_t words[kMaxLmOrder - 1];
  float scores[kMaxLmOrder - 1];  // score of each word so far; determined by the words

  bool operator==(const LmLeft& other) const {
    return length == other.length && full == other.full && std::equal(words, words + length, other.words);
  }
};

/// Language model state of a partial translation. Those with equal states may be recombined.
struct LmChartState {
  LmLeft left;
  LmState right;

  bool operator==(const LmChartState& other) const { return left == other.left && right == other.right; }
  uint64_t hash() const {
    uint64_t value = mix(right.hash(), 2 * left.length + (left.full ? 1 : 0));
    for (uint32_t i = 0; i < left.length; ++i) value = mix(value, static_cast<uint32_t>(left.words[i]));
    return value;
  }
};

/// Scores a partial translation from left to right, from words and partial translations scored before. The
/// scores of any derivation of a sentence from `<s>` to `</s>` sum to the score of the sentence.
class LmPiece {
 public:
  explicit LmPiece(const NgramLm& model) : model_(model) {}

  /// `<s>`; only as the first word.
  void begin_sentence();
  void word(int32_t word);
  /// Appends a partial translation. Scores are relative: its own score is not added again.
  void piece(const LmChartState& inner);

  /// The score of the appended words, plus the change of the scores of appended partial translations.
  float score() const { return static_cast<float>(score_); }
  LmChartState state() const;

 private:
  void extend(const LmChartState& inner);
  void wait(int32_t word, float score, bool goes_on, bool open);

  const NgramLm& model_;
  LmLeft left_;
  LmState right_;
  bool left_done_ = false;
  double score_ = 0;
};

}  // namespace tunesmith::lm

template <>
struct std::hash<tunesmith::lm::LmChartState> {
  size_t operator()(const tunesmith::lm::LmChartState& state) const noexcept { return state.hash(); }
};
