#include "tunesmith/forest/derivation.h"

#include "tunesmith/base/errors.h"
#include "tunesmith/forest/yield_walk.h"

namespace tunesmith::forest {

namespace {

[[noreturn]] void refuse_edges() {
  throw InputError("the edges are not a derivation of the forest; expected an edge, then those of its tails");
}

bool leads_to(const Forest& forest, uint32_t edge, uint32_t node) {
  return forest.first_edge(node) <= edge && edge < forest.last_edge(node);
}

}  // namespace

void refuse_long_derivation() {
  throw InputError("a derivation has more than " + std::to_string(kMaxDerivationEdges) +
                   " edges, as nodes are used many times; derivations of this forest cannot be listed");
}

void DerivationTree::read(const Forest& forest, std::span<const uint32_t> edges) {
  edges_ = edges;
  if (edges.size() > kMaxDerivationEdges) refuse_long_derivation();
  offsets_.assign(1, 0);
  for (const uint32_t edge : edges) {
    if (edge >= forest.edge_count()) refuse_edges();
    offsets_.push_back(offsets_.back() + static_cast<uint32_t>(forest.tails(edge).size()));
  }
  // Backwards: the derivations that still lack a parent are those right after an edge, nearest first.
  tails_.resize(offsets_.back());
  orphans_.clear();
  for (size_t position = edges.size(); position-- > 0;) {
    const auto nodes = forest.tails(edges[position]);
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (orphans_.empty() || !leads_to(forest, edges[orphans_.back()], nodes[i])) refuse_edges();
      tails_[offsets_[position] + i] = orphans_.back();
      orphans_.pop_back();
    }
    orphans_.push_back(static_cast<uint32_t>(position));
  }
  if (orphans_.size() != 1) refuse_edges();
}

std::vector<grammar::Symbol> derivation_words(const Forest& forest, std::span<const uint32_t> edges) {
  const DerivationTree tree(forest, edges);
  std::vector<grammar::Symbol> words;
  walk_yield(
      forest, tree, [](size_t) {},
      [&](size_t number, size_t position) {
        const grammar::Symbol symbol = forest.target(tree.edge(number))[position];
        if (!grammar::is_gap(symbol)) words.push_back(symbol);
      },
      [](size_t) {});
  return words;
}

void append_words(const Forest& forest, std::span<const grammar::Symbol> words, std::string& text) {
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += ' ';
    text += forest.names().words[static_cast<size_t>(words[i])];
  }
}

}  // namespace tunesmith::forest
