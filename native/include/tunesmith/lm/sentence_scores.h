// Language model scores of whole texts, per word.
#pragma once

#include <vector>

#include "tunesmith/corpus/sentences.h"
#include "tunesmith/lm/model.h"

namespace tunesmith::lm {

/// Sentence i is [offsets[i], offsets[i + 1]) of each array; its last entry is `</s>` if that is scored.
struct SentenceScores {
  std::vector<float> scores;     // natural logs
  std::vector<uint8_t> matched;  // order of the matching n-gram
  std::vector<uint8_t> unknown;  // 1 if the model does not have the word
  std::vector<int64_t> offsets;
};

struct SentenceMarks {
  bool begin = true;  // `<s>` precedes the first word
  bool end = true;    // `</s>` is scored after the last word
};

/// `numbers[w]` is the number of the sentences' word w in the model; a word -1 is unknown. O(1) per word.
SentenceScores score_sentences(const NgramLm& model, const corpus::Sentences& sentences,
                               std::span<const int32_t> numbers, SentenceMarks marks, int threads);

}  // namespace tunesmith::lm
