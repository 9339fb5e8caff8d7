#include "tunesmith/extract/phrases/occurring.h"

#include <algorithm>
#include <bit>

#include "tunesmith/base/text.h"

namespace tunesmith::extract::phrases {

namespace {

uint64_t extended(uint64_t hash, int32_t word) { return mix(hash, static_cast<uint32_t>(word)); }

}  // namespace

OccurringPhrases::OccurringPhrases(const corpus::Sentences& sentences, size_t max_length) {
  size_t words = 0;
  for (size_t i = 0; i < sentences.size(); ++i) words += sentences[i].size();
  bits_.resize(std::bit_ceil(16 * words * max_length / kBits + 1));
  for (size_t i = 0; i < sentences.size(); ++i) {
    const auto sentence = sentences[i];
    for (size_t begin = 0; begin < sentence.size(); ++begin) {
      const size_t end = std::min(sentence.size(), begin + max_length);
      uint64_t hash = 0;
      for (size_t word = begin; word < end && sentence[word] >= 0; ++word) {
        hash = extended(hash, sentence[word]);
        bits_[at(hash)] |= uint64_t{1} << hash % kBits;
      }
    }
  }
}

bool OccurringPhrases::contains(std::span<const int32_t> phrase) const {
  uint64_t hash = 0;
  for (const int32_t word : phrase) hash = extended(hash, word);
  return get(hash);
}

}  // namespace tunesmith::extract::phrases
