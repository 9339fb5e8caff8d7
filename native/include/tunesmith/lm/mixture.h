// Linear interpolation of back-off models, as one back-off model.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/name_table.h"
#include "tunesmith/lm/model.h"
#include "tunesmith/lm/sink.h"
#include "tunesmith/lm/suffix_trie.h"

namespace tunesmith::lm {

/// The n-grams of a mixture, those of order n at [n - 1], in suffix order.
struct MixedNgrams {
  TextColumn words;
  std::vector<TrieLevel> levels;
  std::vector<std::vector<float>> log10_probabilities, log10_backoffs;
};

/// Static mixture, as SRILM's `-mix-lm` computes it (Stolcke 2002): all n-grams of all models, with
///   p(w | h) = sum_i lambda_i p_i(w | h),
/// where a model that does not have the n-gram backs off; and back-offs such that each context sums to 1,
///   b(h) = (1 - sum of p(w | h) over the words stored after h)
///        / (1 - sum of p(w | h without its oldest word) over the same words).
/// A word that model i does not have gets nothing from it, p_i(w | h) = 0, so that the mixture sums to 1; as
/// context it is the model's `<unk>`. `<unk>` of the mixture mixes those of the models. Nothing predicts
/// `<s>`, which does not count in sums.
///
/// O(n log m) time for n n-grams, at most m of them with the same suffix. Memory: 20 bytes per n-gram of each
/// model and of the mixture, and while it is made 12 per n-gram of two orders of the mixture and model.
class LmMixture {
 public:
  /// Weights are used as given: they should be positive and sum to 1. A damaged file is an InputError.
  LmMixture(std::span<const NgramLm* const> models, std::span<const double> weights, int threads);

  uint32_t order() const { return static_cast<uint32_t>(ngrams_.levels.size()); }
  std::vector<uint64_t> counts() const;
  /// Sends the n-grams in suffix order, any number of times.
  void send(NgramSink& sink) const;

 private:
  MixedNgrams ngrams_;
};

}  // namespace tunesmith::lm
