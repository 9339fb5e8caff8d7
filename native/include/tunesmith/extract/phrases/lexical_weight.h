// Lexical weights of a phrase pair, and the inner alignment that they are taken from.
#pragma once

#include <span>

#include "tunesmith/extract/phrases/counts.h"
#include "tunesmith/extract/phrases/lexicon.h"

namespace tunesmith::extract::phrases {

/// The inner alignments of a phrase pair that its lexical weights are taken from: the most frequent one.
/// Among equally frequent ones Moses takes the largest, where the links of a side's words are compared word
/// by word; each direction compares its own side, so the two may differ.
struct ChosenLinks {
  LinkBits by_target;  // compares the source positions of each target word; this one is printed
  LinkBits by_source;  // compares the target positions of each source word
};

/// `events` are sorted by links; those of `exclude_fold` do not count (-1 is none).
ChosenLinks choose_links(std::span<const PhraseEvent> events, int source_length, int target_length,
                         int32_t exclude_fold);

/// lex(e|f) = prod_j mean_{i linked to j} p(e_j|f_i), with p(e_j|NULL) for a word without links. Word
/// probabilities count as Moses prints them, to 7 digits after the point; a pair that the lexicon lacks
/// counts 1.
double target_weight(std::span<const int32_t> source, std::span<const int32_t> target, LinkBits links,
                     const Lexicon& lexicon);
/// lex(f|e), likewise.
double source_weight(std::span<const int32_t> source, std::span<const int32_t> target, LinkBits links,
                     const Lexicon& lexicon);

}  // namespace tunesmith::extract::phrases
