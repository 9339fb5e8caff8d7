// A derivation of a node as a list of edges, its tree, and its yield.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// Edges in preorder: an edge, then the derivations of its tails in order of tail position.
struct Derivation {
  double score = 0;
  std::vector<uint32_t> edges;
};

/// A node used twice contributes its edges twice: a derivation can be exponentially longer than the forest.
inline constexpr size_t kMaxDerivationEdges = size_t{1} << 24;

/// Throws InputError: a derivation is longer than kMaxDerivationEdges.
[[noreturn]] void refuse_long_derivation();

/// Lists the edges of a derivation from its top item: `edge_of(item)` is the edge of an item,
/// `tail_of(item, i)` the item of its tail i. Without recursion, O(length).
template <class Item, class EdgeOf, class TailOf>
std::vector<uint32_t> unfold(const Forest& forest, Item top, EdgeOf edge_of, TailOf tail_of) {
  std::vector<uint32_t> edges;
  std::vector<Item> stack{top};
  while (!stack.empty()) {
    const Item item = stack.back();
    stack.pop_back();
    if (edges.size() == kMaxDerivationEdges) refuse_long_derivation();
    edges.push_back(edge_of(item));
    for (size_t i = forest.tails(edges.back()).size(); i-- > 0;) stack.push_back(tail_of(item, i));
  }
  return edges;
}

/// The tree of a derivation given in preorder.
class DerivationTree {
 public:
  DerivationTree() = default;
  DerivationTree(const Forest& forest, std::span<const uint32_t> edges) { read(forest, edges); }

  /// Replaces the tree; keeps a view of the edges. Throws InputError if they are not a derivation.
  void read(const Forest& forest, std::span<const uint32_t> edges);

  size_t size() const { return edges_.size(); }
  uint32_t edge(size_t position) const { return edges_[position]; }
  /// Position, among the edges, of the derivation of tail i of the edge at `position`.
  uint32_t tail(size_t position, size_t i) const { return tails_[offsets_[position] + i]; }

 private:
  std::span<const uint32_t> edges_;
  std::vector<uint32_t> offsets_;
  std::vector<uint32_t> tails_;
  std::vector<uint32_t> orphans_;
};

/// The target words of a derivation. O(words + edges).
std::vector<grammar::Symbol> derivation_words(const Forest& forest, std::span<const uint32_t> edges);

/// Appends the words, separated by spaces, to `text`.
void append_words(const Forest& forest, std::span<const grammar::Symbol> words, std::string& text);

}  // namespace tunesmith::forest
