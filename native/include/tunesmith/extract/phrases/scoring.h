// Scoring of counted phrase pairs: relative frequencies, lexical weights, reordering probabilities.
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/extract/phrases/counts.h"
#include "tunesmith/extract/phrases/discounts.h"
#include "tunesmith/extract/phrases/lexicon.h"
#include "tunesmith/extract/phrases/occurring.h"
#include "tunesmith/extract/phrases/orientation_counts.h"
#include "tunesmith/tables/phrase_sink.h"

namespace tunesmith::extract::phrases {

struct ScoringOptions {
  PhraseSmoothing smoothing = PhraseSmoothing::kNone;
  uint64_t min_count = 0;  // rarer pairs are dropped, but count in the denominators
  std::vector<tables::ReorderingModel> reordering;
  double reordering_smoothing = 0.5;
  int32_t exclude_fold = -1;  // events of this fold are ignored; -1: none
  int threads = 1;
  const OccurringPhrases* only = nullptr;  // if given, pairs of other source phrases are left out
};

/// Streams all phrase pairs into the sink: p(f|e) = c(f,e)/c(e), lex(f|e), p(e|f) = c(f,e)/c(f), lex(e|f),
/// and the probabilities of the reordering models. Lexicon and counts must number words alike. Returns the
/// number of pairs. Two passes over the counts; O(target phrases) memory plus a few blocks.
uint64_t score_phrases(const PhraseCountFile& counts, const Lexicon& lexicon, const ScoringOptions& options,
                       tables::PhraseSink& sink);

}  // namespace tunesmith::extract::phrases
