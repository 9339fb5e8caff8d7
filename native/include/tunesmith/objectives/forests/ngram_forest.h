// A forest compiled for learners of n-gram expectations: its n-gram counts and features by edge.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tunesmith/base/texts.h"
#include "tunesmith/forest/edge_features.h"
#include "tunesmith/forest/hypergraph.h"
#include "tunesmith/forest/refinement.h"
#include "tunesmith/objectives/forests/packed_forests.h"

namespace tunesmith::objectives::forests {

/// The arrays of one sentence, stored in a `PackedForest` or a block of `PackedForests`. Nodes and edges are
/// those of a forest whose n-grams are local to edges; features are by column of a corpus. `counted` has the
/// counts that each edge adds, packed by `pack_count`: of the references' n-grams, by number, then of totals.
/// If every yield has order - 1 words or more, the only total is the number of words, and there are n - 1
/// fewer n-grams of n words than words; otherwise there is one total per order.
struct NgramForest : forest::HypergraphView {
  explicit NgramForest(std::span<const std::byte> packed);

  forest::EdgeFeatures features;
  RowsView<uint32_t> counted;
  std::span<const uint32_t> ngram_lengths;  // of the references' n-grams
  std::span<const uint32_t> ngram_limits;   // how many times each counts as a match
  std::span<const uint32_t> reference_lengths;
  size_t order = 0;
  size_t total_count = 1;  // 1, or one per order

  size_t ngram_count() const { return ngram_lengths.size(); }
};

constexpr uint32_t kCountBits = 8;
constexpr uint32_t kLargestCount = (1u << kCountBits) - 1;
/// A count and the number that is counted, below 2^24, in one integer.
inline uint32_t pack_count(uint32_t number, uint32_t count) { return number << kCountBits | count; }
inline uint32_t counted_number(uint32_t packed) { return packed >> kCountBits; }
inline double count_of(uint32_t packed) { return packed & kLargestCount; }

/// Compiles a forest: nodes are split by boundary words as far as the references have them, unless n-grams
/// are local already. `columns` has the column of each of the forest's features. Throws InputError for an
/// empty forest, one that would grow beyond the limits, or references with 2^24 n-grams or more.
PackedForest<NgramForest> pack_ngram_forest(const forest::Forest& forest, std::span<const uint32_t> columns,
                                            const Texts& references, size_t order,
                                            const forest::RefinementLimits& limits);

}  // namespace tunesmith::objectives::forests
