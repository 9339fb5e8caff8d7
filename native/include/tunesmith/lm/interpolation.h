// Interpolation of probabilities with those of the next lower order.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "tunesmith/base/external_sort.h"
#include "tunesmith/lm/records.h"

namespace tunesmith::lm {

/// log10 as stored in models: at least -99 (probability 0), at most 0.
inline float model_log10(double probability) {
  return static_cast<float>(std::clamp(std::log10(probability), -99.0, 0.0));
}

/// Reads the back-off weights of the n-grams of one order, in suffix order.
template <int Parts>
class BackoffReader {
 public:
  explicit BackoffReader(const Spool<ValuedNgram<Parts>>& backoffs) : reader_(backoffs) {}

  /// The log10 back-off weight of an n-gram; 0 (weight 1) if the n-gram is not a context.
  float log10(const NgramKey<Parts>& ngram) {
    while (reader_.head() != nullptr && reader_.head()->key < ngram) reader_.advance();
    const bool is_context = reader_.head() != nullptr && reader_.head()->key == ngram;
    return is_context ? model_log10(reader_.head()->value) : 0.0f;
  }

 private:
  typename Spool<ValuedNgram<Parts>>::Reader reader_;
};

/// p(w | c) = own + weight * p(w | c without its oldest word) for all n-grams of an order n >= 2. All inputs
/// are in suffix order, so that one pass merges them with `shorter`, the probabilities of order n - 1. Calls
/// emit(key, p, log10 back-off), and adds the probabilities to `keep`, unless null, for the next order.
template <int Parts, class Emit>
void interpolate(const ExternalSort<WeightedNgram<Parts>>& weighted, const KeyLayout<Parts>& layout, int n,
                 const Spool<ValuedNgram<Parts>>& shorter, BackoffReader<Parts>* backoffs,
                 Spool<ValuedNgram<Parts>>* keep, Emit emit) {
  auto reader = weighted.read();
  typename Spool<ValuedNgram<Parts>>::Reader lower(shorter);
  for (WeightedNgram<Parts> ngram; reader.next(ngram);) {
    const NgramKey<Parts> suffix = layout.prefix(ngram.key, n - 1);
    while (lower.head()->key < suffix) lower.advance();
    const double probability = double{ngram.own} + double{ngram.weight} * lower.head()->value;
    emit(ngram.key, probability, backoffs == nullptr ? 0.0f : backoffs->log10(ngram.key));
    if (keep != nullptr) keep->add({ngram.key, probability});
  }
}

}  // namespace tunesmith::lm
