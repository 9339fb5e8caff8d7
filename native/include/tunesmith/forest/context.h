// Nodes split by boundary words, so that n-grams are local to edges: the intersection of a grammar with an
// n-gram automaton (Bar-Hillel, Perles and Shamir 1961).
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "tunesmith/base/sequence_pool.h"
#include "tunesmith/forest/refinement.h"
#include "tunesmith/forest/yield_context.h"

namespace tunesmith::forest {

/// The only context of each node, by number; undefined for nodes that no derivation of the root uses.
struct NodeContexts {
  SequencePool<int32_t> contexts;
  std::vector<uint32_t> of_node;
  ContextNeeds needs;

  std::span<const int32_t> operator[](uint32_t node) const { return contexts[of_node[node]]; }
};

/// A coarser view of contexts: a word is mapped to other numbers, one, several or none (kBreak: left out),
/// and contexts may be shortened. The default keeps contexts as they are.
struct ContextView {
  std::function<std::span<const int32_t>(const grammar::Symbol&)> words = [](const grammar::Symbol& symbol) {
    return std::span<const int32_t>(&symbol, 1);
  };
  std::function<void(std::vector<int32_t>& context)> cut = [](std::vector<int32_t>&) {};
};

/// The contexts of n - 1 words; none if a node has more than one. O(symbols of all edges * n).
std::optional<NodeContexts> local_contexts(const Forest& forest, size_t n, const ContextView& view = {});

/// Splits nodes until each has one context of n - 1 words, as intersection with an n-gram model does.
/// Derivations stay the same; nodes that no derivation of the root uses are removed. An edge whose tails have
/// c_1, ..., c_k contexts is copied c_1 * ... * c_k times.
ForestRefinement expand_context(const Forest& forest, size_t n, const RefinementLimits& limits,
                                const ContextView& view = {});

/// Throws InputError unless 1 <= n <= 16.
void check_ngram_order(size_t n);

}  // namespace tunesmith::forest
