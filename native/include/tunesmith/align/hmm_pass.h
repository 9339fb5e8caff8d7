// Forward-backward and Viterbi algorithms of the alignment HMM for one sentence pair.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tunesmith/align/jump_counter.h"

namespace tunesmith::align {

/// Words 0..steps-1 are generated in order, each from one of the positions 0..states-1 of the other sentence,
/// or from none (null). A null word keeps the position of the word before it (Och and Ney 2003,
/// section 2.1.1: one null state per position), so that the next jump starts there; before the first position
/// there is a start state. p(none) = null, else (1 - null) * p(i | r, states) of JumpWidths. Probabilities
/// are floats, rescaled at each step. O(states^2 * steps) time, O(states * steps) memory.
class HmmPass {
 public:
  HmmPass(const JumpWidths& widths, double null) : widths_(widths), null_(static_cast<float>(null)) {}

  /// The caller fills emissions[t * states + i] = p(word t | position i) and none[t] = p(word t | none).
  void resize(size_t states, size_t steps);
  std::vector<float> emissions, none;

  /// Fills position_posteriors[t * states + i] and none_posteriors[t]; returns the log likelihood.
  double posteriors();
  std::vector<float> position_posteriors, none_posteriors;

  /// Expected jumps, summed over a chunk; `count` adds those of the last call of posteriors().
  struct Jumps {
    std::vector<double> jumps = std::vector<double>(2 * JumpWidths::kClasses - 1);
    std::vector<double> starts = std::vector<double>(kLongestHmm);
    std::vector<double> from = std::vector<double>(kLongestHmm * (kLongestHmm + 1) / 2);
    std::vector<double> from_start = std::vector<double>(kLongestHmm + 1);
  };
  void count(Jumps& jumps);

  /// Viterbi path: the position of each word, -1 for none.
  std::vector<int32_t> best_path();

 private:
  void prepare();
  double forward();
  void backward();

  const JumpWidths& widths_;
  float null_;
  size_t states_ = 0, steps_ = 0;
  std::vector<float> alphas_;    // p(words up to t, word t at i), scaled
  std::vector<float> at_;        // the same, plus null words that keep position i
  std::vector<float> at_start_;  // p(words up to t, all null)
  std::vector<float> scales_;
  std::vector<float> inverse_;  // 1 / Z of a jump from r
  std::vector<float> start_;    // p(i | start)
  std::vector<float> from_, after_, made_, leaving_;
  JumpCounter counter_;      // sums of forward * backward over jumps, without the weights
  std::vector<float> left_;  // by position: expected jumps from it
  std::vector<float> starts_seen_;
};

}  // namespace tunesmith::align
