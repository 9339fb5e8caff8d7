// Where the n-grams of a back-off model flow: from an estimator or an ARPA file, to either.
#pragma once

#include <cstdint>
#include <span>

#include "tunesmith/base/texts.h"

namespace tunesmith::lm {

/// Takes the n-grams order by order, from 1 up, in any order of their own.
class NgramSink {
 public:
  virtual ~NgramSink() = default;

  /// Word i of the vocabulary is words[i]; `<unk>`, `<s>` and `</s>` are among them. counts[n - 1] is the
  /// number of n-grams of order n that will come.
  virtual void begin(const Texts& words, std::span<const uint64_t> counts) = 0;
  /// Words as in the text, oldest first; logs to base 10. The back-off is 0 where a model has none.
  virtual void add(std::span<const int32_t> words, float log10_probability, float log10_backoff) = 0;
  virtual void end() = 0;
};

}  // namespace tunesmith::lm
