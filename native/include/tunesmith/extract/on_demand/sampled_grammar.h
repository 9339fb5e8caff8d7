// Grammars of sentences, from the suffix array, as tries.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tunesmith/base/matrix.h"
#include "tunesmith/extract/on_demand/format.h"
#include "tunesmith/grammar/from_memory.h"

namespace tunesmith::extract::on_demand {

/// The rules of a sentence, of category X, with a row of values a rule under these names; zeros are left out.
/// Words are those of the index, not escaped; only those that are used are copied. Throws InputError where
/// the parts do not fit together. O(symbols + values).
std::shared_ptr<grammar::MemoryGrammar> sampled_grammar(const SuffixIndex& index, const GrammarView& grammar,
                                                        const MatrixView& values,
                                                        const std::vector<std::string>& names);

}  // namespace tunesmith::extract::on_demand
