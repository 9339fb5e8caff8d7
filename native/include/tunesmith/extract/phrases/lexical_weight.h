// Lexical weights of a phrase pair, and the choice of the word alignment that they are computed from.
#pragma once

#include <span>

#include "tunesmith/extract/phrases/counts.h"
#include "tunesmith/extract/phrases/lexicon.h"

namespace tunesmith::extract::phrases {

/// The most frequent alignment within a phrase pair, from which its lexical weights are computed. Ties are
/// broken as in Moses: the largest alignment, comparing the links of one side word by word. Each direction
/// compares its own side, so the two may differ.
struct ChosenLinks {
  LinkBits by_target;  // compares the source positions of each target word; written to tables
  LinkBits by_source;  // compares the target positions of each source word
};

/// `events` must be sorted by links; those of `exclude_fold` are ignored (-1: none).
ChosenLinks choose_links(std::span<const PhraseEvent> events, int source_length, int target_length,
                         int32_t exclude_fold);

/// lex(e|f) = prod_j mean_{i linked to j} p(e_j|f_i), with p(e_j|NULL) for an unaligned word (Koehn et al.
/// 2003). Word probabilities are rounded to 7 decimals, as Moses prints them; a pair missing from the lexicon
/// has probability 1.
double target_weight(std::span<const int32_t> source, std::span<const int32_t> target, LinkBits links,
                     const Lexicon& lexicon);
/// lex(f|e), likewise.
double source_weight(std::span<const int32_t> source, std::span<const int32_t> target, LinkBits links,
                     const Lexicon& lexicon);

}  // namespace tunesmith::extract::phrases
