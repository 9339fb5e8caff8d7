// Bilingual tokens: each target word joined with its aligned source words (Niehues et al. 2011).
#pragma once

#include <string_view>

#include "tunesmith/base/name_table.h"
#include "tunesmith/corpus/alignment.h"
#include "tunesmith/corpus/sentences.h"

namespace tunesmith::corpus {

/// One line per sentence pair, one token per target word: the word and its aligned source words in source
/// order, separated by `joiner`. An unaligned target word stands alone; unaligned source words are dropped.
TextColumn bilingual_tokens(const Sentences& source, const Sentences& target, const Alignments& alignments,
                            const Texts& source_words, const Texts& target_words, std::string_view joiner);

}  // namespace tunesmith::corpus
