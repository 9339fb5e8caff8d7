// Language model scores of pieces that are put together in any order, as a chart decoder does.
#pragma once

#include <span>

#include "tunesmith/lm/model.h"

namespace tunesmith::lm {

/// The first words of a piece whose probability may still change when words come before it: each of them
/// matched an n-gram with all words of the piece before it, which some longer n-gram ends with
/// (Li and Khudanpur 2008; Heafield et al. 2011).
struct LmLeft {
  uint32_t length = 0;
  bool full = false;  // nothing that comes before the piece can change more words than these
  int32_t words[kMaxLmOrder - 1];
  float scores[kMaxLmOrder - 1];  // what each of them counts for so far; follows from the words

  bool operator==(const LmLeft& other) const {
    return length == other.length && full == other.full && std::equal(words, words + length, other.words);
  }
};

/// All that a language model needs to know of a piece. Pieces with equal states may be recombined.
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

/// Scores a piece from left to right: words, and pieces that were scored before. The sum over a derivation of
/// a sentence from `<s>` to `</s>` is the score of the sentence, whatever the derivation.
class LmPiece {
 public:
  explicit LmPiece(const NgramLm& model) : model_(model) {}

  /// `<s>`; only as the first word.
  void begin_sentence();
  void word(int32_t word);
  /// A piece within this one. Scores are relative: the piece's own score is not added again.
  void piece(const LmChartState& inner);

  /// The score of all that was added since the last pieces were scored.
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
