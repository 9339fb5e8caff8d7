// A forest in the form that learners of n-gram expectations read: flat, small, and in one piece of memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "tunesmith/base/packed_arrays.h"
#include "tunesmith/base/texts.h"
#include "tunesmith/forest/forest.h"
#include "tunesmith/forest/refinement.h"

namespace tunesmith::objectives::forests {

/// The arrays of one sentence. Nodes and edges are those of a forest whose n-grams are local to edges; values
/// of features are by the columns of a corpus. `counted` has for each edge the counts that it adds, packed by
/// `pack_count`: of the references' n-grams, by number, and after these of totals. Where every yield has
/// order - 1 words or more, there is one total, the words, and n-grams of n words are n - 1 fewer; else there
/// is a total an order.
struct NgramForest {
  std::span<const uint32_t> node_edges;  // node n has the in-edges [node_edges[n], node_edges[n + 1])
  std::span<const uint32_t> edge_tails;  // the tails of edge e are tails[edge_tails[e], edge_tails[e + 1])
  std::span<const uint32_t> tails;
  std::span<const uint32_t> edge_rules;
  std::span<const uint32_t> rule_values;  // rows of `of_rules`
  std::span<const FeatureValue> of_rules;
  std::span<const uint32_t> edge_values;  // rows of `of_edges`
  std::span<const FeatureValue> of_edges;
  std::span<const uint32_t> edge_counts;  // rows of `counted`
  std::span<const uint32_t> counted;
  std::span<const uint32_t> ngram_lengths;  // of the references' n-grams
  std::span<const uint32_t> ngram_limits;   // how often each counts as a match
  std::span<const uint32_t> reference_lengths;
  size_t total_count = 1;  // 1, or one an order

  size_t node_count() const { return node_edges.size() - 1; }
  size_t edge_count() const { return edge_rules.size(); }
  size_t rule_count() const { return rule_values.size() - 1; }
  size_t ngram_count() const { return ngram_lengths.size(); }
};

constexpr uint32_t kCountBits = 8;
constexpr uint32_t kLargestCount = (1u << kCountBits) - 1;
/// A count of what has a number below 2^24.
inline uint32_t pack_count(uint32_t number, uint32_t count) { return number << kCountBits | count; }
inline uint32_t counted_number(uint32_t packed) { return packed >> kCountBits; }
inline double count_of(uint32_t packed) { return packed & kLargestCount; }

/// The arrays in one block, and how to read them again wherever it lies.
class PackedNgramForest {
 public:
  /// Compiles a forest: nodes are split by boundary words as far as the references have them, unless n-grams
  /// are local already. `columns` has the column of each of the forest's features. Throws InputError for an
  /// empty forest, one that would grow beyond the limits, or one with 2^24 n-grams of references or more.
  PackedNgramForest(const forest::Forest& forest, std::span<const uint32_t> columns, const Texts& references,
                    size_t order, const forest::RefinementLimits& limits);

  size_t order() const { return order_; }
  const PackedArrays& arrays() const { return arrays_; }
  PackedArrays take_arrays() { return std::move(arrays_); }
  NgramForest view() const { return view(arrays_.bytes()); }
  /// The arrays in bytes that were packed here, wherever they lie now.
  static NgramForest view(std::span<const std::byte> bytes);

 private:
  size_t order_;
  PackedArrays arrays_;
};

}  // namespace tunesmith::objectives::forests
