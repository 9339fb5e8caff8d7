// Conversion of per-sentence grammars to rule tries for the decoder.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tunesmith/base/matrix.h"
#include "tunesmith/extract/on_demand/format.h"
#include "tunesmith/grammar/from_memory.h"

namespace tunesmith::extract::on_demand {

/// The rules of a sentence, of category X, with one row of feature values per rule under the given names;
/// zeros are omitted. Words are those of an index, unescaped; only used words are copied. Throws InputError
/// if the arrays are inconsistent. O(symbols + values).
std::shared_ptr<grammar::MemoryGrammar> sampled_grammar(const corpus::VocabularyView& source_words,
                                                        const corpus::VocabularyView& target_words,
                                                        const GrammarView& grammar, const MatrixView& values,
                                                        const std::vector<std::string>& names);

}  // namespace tunesmith::extract::on_demand
