// The phrases of sentences, to score only the pairs that can translate them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/corpus/sentences.h"

namespace tunesmith::extract::phrases {

/// A set of all phrases of up to `max_length` words, as bits at their hashes: 16 or more per phrase, so that
/// at most one in 16 of all others seems to occur too. Words of numbers below 0 are in no phrase.
class OccurringPhrases {
 public:
  OccurringPhrases(const corpus::Sentences& sentences, size_t max_length);

  bool contains(std::span<const int32_t> phrase) const;

 private:
  static constexpr size_t kBits = 64;

  bool get(uint64_t hash) const { return bits_[at(hash)] >> hash % kBits & 1; }
  size_t at(uint64_t hash) const { return hash / kBits & (bits_.size() - 1); }

  std::vector<uint64_t> bits_;  // their number is a power of two
};

}  // namespace tunesmith::extract::phrases
