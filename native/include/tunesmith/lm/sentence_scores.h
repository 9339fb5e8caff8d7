// Language model scores of whole texts, word by word.
#pragma once

#include <vector>

#include "tunesmith/corpus/sentences.h"
#include "tunesmith/lm/model.h"

namespace tunesmith::lm {

/// Sentence i is [offsets[i], offsets[i + 1]) of each array; the last entry of a sentence is `</s>` where
/// sentences end with it.
struct SentenceScores {
  std::vector<float> scores;     // natural logs
  std::vector<uint8_t> matched;  // the order of the n-gram that matched
  std::vector<uint8_t> unknown;  // 1 where the model does not have the word
  std::vector<int64_t> offsets;
};

struct SentenceMarks {
  bool begin = true;  // `<s>` comes before the first word
  bool end = true;    // `</s>` is scored after the last
};

/// `numbers` gives for each word of the sentences its number in the model; a word of -1 is unknown. O(1) a
/// word.
SentenceScores score_sentences(const NgramLm& model, const corpus::Sentences& sentences,
                               std::span<const int32_t> numbers, SentenceMarks marks, int threads);

}  // namespace tunesmith::lm
