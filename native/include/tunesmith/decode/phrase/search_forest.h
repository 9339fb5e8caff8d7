// The forest of a phrase search: every hypothesis that is part of a translation, with all its in-edges.
#pragma once

#include <memory>
#include <vector>

#include "tunesmith/decode/phrase/search.h"

namespace tunesmith::decode::phrase {

/// Edges append a phrase to the yield of their one tail. The context-free values of a phrase pair are
/// features of the edge's rule, all others of the edge; the root's in-edges have the values of the sentence
/// end. Rule ids are those of options, and kBorder for the start and the end. Links count the words of the
/// phrase: a reader of the forest finds a word at the first column of its edge plus its position in the
/// phrase, also where lattice arcs skip columns; the path through the lattice is given by the source words.
std::shared_ptr<const forest::Forest> search_forest(const WeightedModel& model, const PhraseSearch& search);

/// Whether a complete translation is reached from a node, by node of the search.
std::vector<char> reached_nodes(const PhraseSearch& search);

/// The forest of a sentence without translations.
std::shared_ptr<const forest::Forest> empty_search_forest(const WeightedModel& model);

}  // namespace tunesmith::decode::phrase
