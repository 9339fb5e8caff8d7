// Which n-grams an edge adds to the yield of a derivation.
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/forest/reference_ngrams.h"

namespace tunesmith::forest {

/// A sparse matrix of edges by n-grams. Row e has the n-grams [offsets[e], offsets[e + 1]) of `ids`, rising,
/// with how often each is new at edge e. N-grams are numbered as they first come, from edge 0 on; n-gram g
/// is the words [g * order, (g + 1) * order) of `words`, with -1 after its last word.
struct NgramIncidence {
  size_t order = 0;
  std::vector<int32_t> words;
  std::vector<int32_t> offsets{0};
  std::vector<int32_t> ids;
  std::vector<double> counts;
  std::vector<double> edge_words;  // how many words each edge adds
};

/// The n-grams of 1 to `order` words, those that lie in the edge's words or cross its gaps: over the edges
/// of a derivation, rows sum to the n-gram counts of its yield. No borders of sentences are counted. An
/// InputError unless every node has one context (`expand_context`). O(symbols * order^2).
NgramIncidence ngram_incidence(const Forest& forest, size_t order);

/// The same of the n-grams that references have, all of them, by their numbers; words too are numbers of the
/// references. Contexts need to tell no more than these do (`expand_context` with `references.view()`).
NgramIncidence ngram_incidence(const Forest& forest, const ReferenceNgrams& references);

}  // namespace tunesmith::forest
