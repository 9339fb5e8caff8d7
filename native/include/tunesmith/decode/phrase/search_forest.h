// The forest of a search: every hypothesis that is part of a translation, with all ways into it.
#pragma once

#include <memory>

#include "tunesmith/decode/phrase/search.h"

namespace tunesmith::decode::phrase {

/// Edges append a phrase to the yield of their one tail. An edge's rule has what the phrase pair says of
/// itself, the edge has what depends on its place; the root's in-edges have what the end adds. Ids of rules
/// are those of options, and kBorder for the start and the end. Links count the words of the phrase: where
/// arcs of a lattice go over columns, what reads a derivation off the forest finds a word at the first column
/// of its edge plus its place in the phrase, and the way through the lattice is known from the source words.
std::shared_ptr<const forest::Forest> search_forest(const WeightedModel& model, const PhraseSearch& search);

/// The same of a sentence that nothing translates.
std::shared_ptr<const forest::Forest> empty_search_forest(const WeightedModel& model);

}  // namespace tunesmith::decode::phrase
