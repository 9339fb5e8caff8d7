// Traversal of a derivation in the order of its target words.
#pragma once

#include <vector>

#include "tunesmith/forest/derivation.h"

namespace tunesmith::forest {

/// Calls visit(number, position) for each target symbol of each edge, by its number in the derivation, in the
/// order of the yield, a gap before its filler; begin(number) and end(number) around each edge. Without
/// recursion.
template <class Begin, class Visit, class End>
void walk_yield(const Forest& forest, const DerivationTree& tree, Begin begin, Visit visit, End end) {
  struct Frame {
    size_t number;
    size_t position;
  };
  if (tree.size() == 0) return;
  std::vector<Frame> open{{0, 0}};
  begin(size_t{0});
  while (!open.empty()) {
    Frame& frame = open.back();
    const auto target = forest.target(tree.edge(frame.number));
    if (frame.position == target.size()) {
      end(frame.number);
      open.pop_back();
      continue;
    }
    const size_t number = frame.number, position = frame.position++;
    visit(number, position);
    if (grammar::is_gap(target[position])) {
      const size_t below = tree.tail(number, grammar::gap_index(target[position]));
      open.push_back({below, 0});
      begin(below);
    }
  }
}

}  // namespace tunesmith::forest
