// Interface for consumers of the n-grams of a back-off model, such as model builders and ARPA writers.
#pragma once

#include <cstdint>
#include <span>

#include "tunesmith/base/texts.h"

namespace tunesmith::lm {

/// Receives the n-grams order by order, from 1 up; within an order in any sequence.
class NgramSink {
 public:
  virtual ~NgramSink() = default;

  /// Word i of the vocabulary is words[i]; `<unk>`, `<s>` and `</s>` are among them. counts[n - 1] is the
  /// number of n-grams of order n that will be added.
  virtual void begin(const Texts& words, std::span<const uint64_t> counts) = 0;
  /// Words in text order, oldest first; logs to base 10. The back-off is 0 if the model has none.
  virtual void add(std::span<const int32_t> words, float log10_probability, float log10_backoff) = 0;
  virtual void end() = 0;
};

}  // namespace tunesmith::lm
