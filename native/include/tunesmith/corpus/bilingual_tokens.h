// Bilingual tokens: each target word joined with the source words that it is aligned to (Niehues et al.
// 2011).
#pragma once

#include <string_view>

#include "tunesmith/base/name_table.h"
#include "tunesmith/corpus/alignment.h"
#include "tunesmith/corpus/sentences.h"

namespace tunesmith::corpus {

/// A line a pair: a token a target word, which is the word and its source words in their order, with
/// `joiner` between them; a target word without links stands alone, source words without links are lost.
TextColumn bilingual_tokens(const Sentences& source, const Sentences& target, const Alignments& alignments,
                            const Texts& source_words, const Texts& target_words, std::string_view joiner);

}  // namespace tunesmith::corpus
