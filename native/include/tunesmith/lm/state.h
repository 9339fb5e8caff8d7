// What a language model remembers of a text: only the words that can still matter.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "tunesmith/base/text.h"

namespace tunesmith::lm {

/// The highest order that a model may have.
constexpr uint32_t kMaxLmOrder = 7;

/// The context of the next word, newest word first. A word belongs to it if some n-gram of the model begins
/// with the words from it on. States with equal words score every continuation alike: back-offs follow
/// from the words, and are here to spare their look-up.
struct LmState {
  uint32_t length = 0;
  int32_t words[kMaxLmOrder - 1];
  float backoffs[kMaxLmOrder - 1];  // [i]: of the i + 1 newest words

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
