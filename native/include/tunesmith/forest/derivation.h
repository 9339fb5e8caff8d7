// A derivation: the edges that lead to a node, and what can be read off them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// Edges in preorder: an edge, then those of the derivations of its tails, by the position of the tail.
struct Derivation {
  double score = 0;
  std::vector<uint32_t> edges;
};

/// A derivation that uses a node twice has its edges twice, and can be exponentially longer than the forest.
inline constexpr size_t kMaxDerivationEdges = size_t{1} << 24;

/// Throws InputError that a derivation is longer than kMaxDerivationEdges.
[[noreturn]] void refuse_long_derivation();

/// Spells out a derivation from its top: `edge_of(place)` is the edge that a place uses, `tail_of(place, i)`
/// the place of its tail i. Without recursion, O(length).
template <class Place, class EdgeOf, class TailOf>
std::vector<uint32_t> unfold(const Forest& forest, Place top, EdgeOf edge_of, TailOf tail_of) {
  std::vector<uint32_t> edges;
  std::vector<Place> waiting{top};
  while (!waiting.empty()) {
    const Place place = waiting.back();
    waiting.pop_back();
    if (edges.size() == kMaxDerivationEdges) refuse_long_derivation();
    edges.push_back(edge_of(place));
    for (size_t i = forest.tails(edges.back()).size(); i-- > 0;) waiting.push_back(tail_of(place, i));
  }
  return edges;
}

/// Which edges of a derivation are whose tails. Throws InputError if the edges are no derivation.
class DerivationTree {
 public:
  DerivationTree(const Forest& forest, std::span<const uint32_t> edges);

  size_t size() const { return edges_.size(); }
  uint32_t edge(size_t place) const { return edges_[place]; }
  /// The place, among the edges, of the derivation of tail i of the edge at a place.
  uint32_t tail(size_t place, size_t i) const { return tails_[offsets_[place] + i]; }

 private:
  std::span<const uint32_t> edges_;
  std::vector<uint32_t> offsets_;
  std::vector<uint32_t> tails_;
};

/// The target words of a derivation. O(words + edges).
std::vector<grammar::Symbol> derivation_words(const Forest& forest, std::span<const uint32_t> edges);

/// Words by name, with blanks between them, appended to `text`.
void append_words(const Forest& forest, std::span<const grammar::Symbol> words, std::string& text);

}  // namespace tunesmith::forest
