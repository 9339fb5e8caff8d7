// Language model states, minimized to the words that can affect later probabilities.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "tunesmith/base/text.h"

namespace tunesmith::lm {

/// The highest order of a model.
constexpr uint32_t kMaxLmOrder = 7;

/// The context of the next word, newest word first. A word belongs to it if some n-gram of the model begins
/// with the words from that word on. States with equal words give every continuation the same score: the
/// back-offs are determined by the words, and cached here to avoid look-ups.
struct LmState {
  uint32_t length = 0;
  int32_t words[kMaxLmOrder - 1];
  float backoffs[kMaxLmOrder - 1];  // [i]: back-off of the i + 1 newest words

  bool operator==(const LmState& other) const {
    return length == other.length && std::equal(words, words + length, other.words);
  }
  uint64_t hash() const {
    uint64_t value = length;
    for (uint32_t i = 0; i < length; ++i) value = mix(value, static_cast<uint32_t>(words[i]));
    return value;
  }
};

}  // namespace tunesmith::lm

template <>
struct std::hash<tunesmith::lm::LmState> {
  size_t operator()(const tunesmith::lm::LmState& state) const noexcept { return state.hash(); }
};
