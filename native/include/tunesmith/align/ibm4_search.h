// IBM model 4 for one sentence pair in one direction: hill climbing, and posteriors over the neighborhood.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "tunesmith/align/ibm4_tables.h"

namespace tunesmith::align {

/// p(f, a | e) of Brown et al. (1993), with m words made by the n words of the other sentence:
///   C(m - phi_0, phi_0) p0^(m - 2 phi_0) p1^phi_0  prod_j t(f_j | e_a(j))  prod_i n(phi_i | e_i)
///   prod_{cepts} d1(head - center of the previous cept | classes)  prod_{other words} d2(j - previous |
///   class)
/// phi_i is the number of words that e_i makes, the center of a cept the rounded up mean of its positions;
/// p1 = `null`, p0 = 1 - p1. No more than half of the words can be made by none (null).
class Ibm4Search {
 public:
  Ibm4Search(const Ibm4Layout& layout, const Ibm4Tables& tables, const Ibm4Classes& classes, double null);

  /// Starts with an alignment, the position that makes each word or -1. `emissions[t * n + i]` = p(word t |
  /// position i), `none[t]` = p(word t | none).
  void reset(std::span<const int32_t> making, std::span<const int32_t> made, std::span<const float> emissions,
             std::span<const float> none, std::span<const int32_t> alignment);

  const std::vector<int32_t>& alignment() const { return at_; }
  /// log p(f, a | e), computed from the definition.
  double log_probability();

  /// Moves of one word and swaps of two while they increase the probability. A word moves only to positions
  /// whose translation probability is at least kLeastShare of its best.
  void climb();
  static constexpr float kLeastShare = 1e-6F;

  /// Posteriors over the alignment and its neighbors, those reached by one move or swap:
  /// position_posteriors[t * n + i], none_posteriors[t]. Returns the log of the sum of their probabilities.
  double posteriors();
  std::vector<float> position_posteriors, none_posteriors;
  /// Adds the expected counts of the last call of posteriors(). `kShared`: other threads add to them as well.
  template <bool kShared>
  void count(Ibm4Counts& counts, double one);

 private:
  struct Neighbor {
    size_t word, other;  // of a move: other = m
    int32_t to;
    double weight;
  };

  /// The cepts whose distortions depend on two that a neighbor changes: these two, with all their words, and
  /// the ones after them, whose heads alone do. They are the same before and after the change.
  struct Touched {
    std::array<size_t, 4> cepts;
    size_t changed = 0, count = 0;
  };
  Touched touched(int32_t a, int32_t b) const;

  double place(size_t phi0);
  double fertility_log(size_t i, size_t phi) const;
  void relocate(size_t j, int32_t to);
  void swap(size_t j, size_t k);
  /// What a neighbor gains in log probability; -infinity if that is at most `least`.
  double move_gain(size_t j, int32_t to, double least);
  double swap_gain(size_t j, size_t k, double least);
  /// The gain of a change that `apply` makes and `undo` takes back, given that of all but the distortions.
  template <class Apply, class Undo>
  double gain_with_distortions(double gain, const Touched& around, double least, Apply apply, Undo undo);
  bool allowed(size_t j, int32_t to) const {
    return lexical_[j * (n_ + 1) + static_cast<size_t>(to + 1)] > kForbidden;
  }
  float lexical(size_t j, int32_t to) const { return lexical_[j * (n_ + 1) + static_cast<size_t>(to + 1)]; }
  size_t next(size_t i) const {
    do ++i;
    while (i < n_ && sizes_[i] == 0);
    return i;
  }
  /// Number of the distortion parameter of the first word of a cept that has words.
  size_t head(size_t i) const;
  /// Calls body(number of a distortion parameter) for the other words of cept i.
  template <class Body>
  void visit_later(size_t i, Body body) const;
  double head_log(size_t i) const;
  double later_log(size_t i) const;
  /// Makes heads_, laters_, more_ and fewer_ those of the alignment.
  void update(const Touched& around);
  void update_own(size_t i);
  /// Each returns whether the alignment has changed.
  bool move_to_best(size_t j);
  bool swap_gainfully(size_t j);

  static constexpr float kForbidden = -1e30F;

  const Ibm4Layout& layout_;
  const Ibm4Tables& tables_;
  const Ibm4Classes& classes_;
  double log_null_, log_not_null_;
  size_t n_ = 0, m_ = 0, none_made_ = 0;
  std::vector<int32_t> making_words_;
  std::vector<size_t> making_, made_;  // classes
  std::vector<float> lexical_;  // log t, by word, then none and the positions; kForbidden beyond the share
  std::vector<int32_t> at_;
  std::vector<int32_t> first_,
      following_;              // cepts as sorted lists: the first word, the next one of each word
  std::vector<int64_t> sums_;  // of the positions of a cept
  std::vector<size_t> sizes_;
  std::vector<double> heads_, laters_;  // by cept: log distortions of its first word and of the others
  std::vector<double> more_, fewer_;    // by cept: gain in log fertility by one word more, or one less
  std::vector<double> places_;          // by number of words made by none: see place(); NaN if unknown
  std::vector<Neighbor> neighbors_;
  std::vector<int64_t> heads_left_, changed_left_;  // by cept: counts of the alignment, less the neighbors'
};

}  // namespace tunesmith::align
