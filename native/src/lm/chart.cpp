#include "tunesmith/lm/chart.h"

#include <algorithm>

namespace tunesmith::lm {

void LmPiece::begin_sentence() {
  right_ = model_.begin_state();
  left_done_ = true;
}

void LmPiece::word(int32_t word) {
  const LmState before = right_;
  const LmScore found = model_.full_score(before, word, right_);
  score_ += found.score;
  if (left_done_) return;
  wait(word, found.score, found.open && right_.length == before.length + 1, found.open);
}

/// Adds a word to the left state. While that is not complete, the right state holds all words so far. A word
/// whose n-gram is open belongs to the left state; once the right state drops a word, no later word does. In
/// an intact model fewer than `order` words do; damaged models and states of other models must not add more.
void LmPiece::wait(int32_t word, float score, bool goes_on, bool open) {
  const bool room = left_.length + 1 < model_.order();
  if (open && room) {
    left_.words[left_.length] = word;
    left_.scores[left_.length] = score;
    ++left_.length;
  }
  left_done_ = !goes_on || !room;
}

void LmPiece::piece(const LmChartState& inner) {
  if (inner.left.length == 0 && !inner.left.full) return;  // empty
  if (right_.length > 0) return extend(inner);
  right_ = inner.right;
  if (left_done_) return;
  left_ = inner.left;
  left_done_ = inner.left.full;
}

/// Rescores the left state of `inner` with this right state as further context. contexts.backoffs[i] is the
/// back-off of (the inner words before the current one, i + 1 words of the state).
void LmPiece::extend(const LmChartState& inner) {
  LmState contexts = right_;
  const uint32_t all = right_.length;
  for (uint32_t j = 0; j < inner.left.length && contexts.length > 0; ++j) {
    uint64_t hash = hash_word(inner.left.words[j]);
    for (uint32_t i = j; i-- > 0;) hash = extend_hash(hash, inner.left.words[i]);
    float score = inner.left.scores[j];
    bool open = true;
    uint32_t matched = 0, kept = 0;
    float backoffs[kMaxLmOrder - 1];
    while (matched < contexts.length && open && j + matched + 2 <= model_.order()) {
      hash = extend_hash(hash, right_.words[matched]);
      const auto longer = model_.find_ngram(j + matched + 2, hash);
      if (!longer) break;
      score = finite_log_probability(longer->probability);
      open = j + matched + 2 < model_.order() && extends_left(longer->probability);
      backoffs[matched++] = longer->backoff;
      if (extends_right(longer->backoff)) kept = matched;
    }
    open = open && matched == contexts.length;
    for (uint32_t i = matched; i < contexts.length; ++i) score += contexts.backoffs[i];
    score_ += score - inner.left.scores[j];
    if (!left_done_) wait(inner.left.words[j], score, open && kept == all, open);
    std::copy(backoffs, backoffs + kept, contexts.backoffs);
    contexts.length = kept;
  }
  if (inner.left.full || contexts.length == 0) {
    for (uint32_t i = 0; i < contexts.length; ++i) score_ += contexts.backoffs[i];
    right_ = inner.right;
    left_done_ = true;
    return;
  }
  // All words of `inner` are in its right state; they are followed by words of this right state.
  LmState joined = inner.right;
  for (uint32_t i = 0; i < contexts.length && joined.length + 1 < model_.order(); ++i, ++joined.length) {
    joined.words[joined.length] = right_.words[i];
    joined.backoffs[joined.length] = contexts.backoffs[i];
  }
  right_ = joined;
}

LmChartState LmPiece::state() const {
  LmChartState state{left_, right_};
  state.left.full = left_done_ || left_.length + 1 == model_.order();
  return state;
}

}  // namespace tunesmith::lm
