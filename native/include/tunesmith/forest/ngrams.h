// N-gram counts by edge: the n-grams that each edge adds to the yield of a derivation.
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/forest/reference_ngrams.h"

namespace tunesmith::forest {

/// A sparse matrix of edges by n-grams. Row e has the n-grams [offsets[e], offsets[e + 1]) of `ids`, in
/// increasing order, with the number of times each is new at edge e. N-grams are numbered by first occurrence
/// from edge 0 on; n-gram g is the words [g * order, (g + 1) * order) of `words`, padded with -1.
struct NgramIncidence {
  size_t order = 0;
  std::vector<int32_t> words;
  std::vector<int32_t> offsets{0};
  std::vector<int32_t> ids;
  std::vector<double> counts;
  std::vector<double> edge_words;  // number of words that each edge adds
};

/// N-grams of 1 to `order` words that lie within the edge's words or cross its gaps: summed over the edges of
/// a derivation, rows give the n-gram counts of its yield. Without sentence markers. Throws InputError unless
/// every node has one context (`expand_context`). O(symbols * order^2).
NgramIncidence ngram_incidence(const Forest& forest, size_t order);

/// The same for the n-grams of references, by their numbers, all of them included; words are numbered as in
/// the references. Contexts need no more than these (`expand_context` with `references.view()`).
NgramIncidence ngram_incidence(const Forest& forest, const ReferenceNgrams& references);

}  // namespace tunesmith::forest
