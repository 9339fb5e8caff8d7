// Events of derivations as flat arrays: phrases or rules, spans, links, orientations and blocks.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/name_table.h"
#include "tunesmith/decode/phrase_orientations.h"
#include "tunesmith/forest/kbest.h"
#include "tunesmith/forest/named_weights.h"

namespace tunesmith::decode {

/// Row i is values[offsets[i], offsets[i + 1]); as `Rows`, with the offsets that Python has.
template <class T>
struct EventRows {
  std::vector<int64_t> offsets{0};
  std::vector<T> values;

  size_t size() const { return offsets.size() - 1; }
  std::span<const T> operator[](size_t i) const {
    return {values.data() + offsets[i], values.data() + offsets[i + 1]};
  }
  void close() { offsets.push_back(static_cast<int64_t>(values.size())); }
};

/// Distinct phrase pairs or rules: two differ in id, words or links. Symbols are words of the events, and
/// gaps; links are between positions of the two sides, gaps included. The gap with which a forest's phrase
/// begins its target side, for what is before it, is left out.
struct EventRules {
  std::vector<int64_t> ids;  // as in the forest
  EventRows<grammar::Symbol> sources;
  EventRows<grammar::Symbol> targets;
  EventRows<corpus::Link> links;

  size_t size() const { return ids.size(); }
};

/// One entry per step, a phrase or a rule that a derivation applies.
struct EventSteps {
  std::vector<uint32_t> edges;  // of the forest
  std::vector<int32_t> rules;
  std::vector<forest::SourceSpan> sources;
  std::vector<forest::SourceSpan> targets;
  std::vector<int32_t> parents;  // step of the same derivation, from 0, whose gap it fills; -1 if none
  std::vector<int32_t> gaps;     // gap that it fills, from 0 in the order of the source side; -1 if none
  EventRows<corpus::Link> links;
  std::vector<PhraseOrientation> orientations;
  std::vector<TopBlock> blocks;
};

/// Derivations of forests; those of forest i are [lists[i], lists[i + 1]).
///
/// A derivation is of *phrases* if each edge but the lowest adds a phrase to its one tail (see
/// DerivationReader) and no source side has a gap. Its steps are the phrases in target order; edges without
/// columns and words, such as the start and the end, are no steps. Steps of other derivations are all edges
/// in target order, each before those in its gaps, and spans include the gaps.
///
/// `source_words` has the word of each column, -1 if unknown. In lattices, where an arc may span several
/// columns, the words of a phrase stand in its first columns, and the last one fills those that are left.
struct DerivationEvents {
  std::vector<int64_t> lists{0};
  std::vector<double> scores;
  std::vector<uint8_t> of_phrases;  // whether the derivation is of phrases whose orientations are known
  std::vector<int64_t> step_offsets{0};
  EventRows<grammar::Symbol> target_words;
  EventRows<grammar::Symbol> source_words;
  EventSteps steps;
  EventRules rules;
  TextColumn words;

  size_t size() const { return scores.size(); }
};

/// Events of the k best derivations under weights by name. An empty forest has an empty list. The result does
/// not depend on the number of threads. O(edges + words + links) per derivation after the k-best search.
DerivationEvents kbest_events(std::span<const forest::Forest* const> forests,
                              const forest::NamedWeights& weights, const forest::KbestOptions& options,
                              int threads);

/// The same under given scores of edges.
DerivationEvents kbest_events(std::span<const forest::Forest* const> forests,
                              std::span<const std::span<const double>> scores,
                              const forest::KbestOptions& options, int threads);

/// Events of given derivations of each forest.
DerivationEvents derivation_events(std::span<const forest::Forest* const> forests,
                                   std::span<const std::vector<forest::Derivation>> derivations, int threads);

/// The derivation of the first in-edges from the root down: in forests of decoders, the best of the search.
/// Empty if the forest is.
std::vector<uint32_t> first_derivation(const forest::Forest& forest);

/// The words of each row, separated by spaces.
TextColumn joined_words(const Texts& vocabulary, std::span<const int64_t> offsets,
                        std::span<const int32_t> words);

}  // namespace tunesmith::decode
