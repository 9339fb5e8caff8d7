// From counted phrase pairs to scored ones.
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/extract/phrases/counts.h"
#include "tunesmith/extract/phrases/discounts.h"
#include "tunesmith/extract/phrases/lexicon.h"
#include "tunesmith/extract/phrases/orientation_counts.h"
#include "tunesmith/tables/phrase_sink.h"

namespace tunesmith::extract::phrases {

struct ScoringOptions {
  PhraseSmoothing smoothing = PhraseSmoothing::kNone;
  uint64_t min_count = 0;  // rarer pairs are left out; they count in the denominators
  std::vector<tables::ReorderingModel> reordering;
  double reordering_smoothing = 0.5;
  int32_t exclude_fold = -1;  // this fold's events do not count at all; -1 is none
  int threads = 1;
};

/// Streams all phrase pairs into the sink: p(f|e) = c(f,e)/c(e), lex(f|e), p(e|f) = c(f,e)/c(f), lex(e|f),
/// and the probabilities of the reordering models. The lexicon must number words as the counts do. Returns
/// the number of pairs. Two passes over the counts; O(target phrases) memory and a few blocks.
uint64_t score_phrases(const PhraseCountFile& counts, const Lexicon& lexicon, const ScoringOptions& options,
                       tables::PhraseSink& sink);

}  // namespace tunesmith::extract::phrases
