// A walk over a derivation in the order of its target words.
#pragma once

#include <vector>

#include "tunesmith/forest/derivation.h"

namespace tunesmith::forest {

/// Calls visit(place, position) for each symbol of each target side, in the order of the yield, a gap before
/// what fills it; and begin(place) and end(place) around each edge. Without recursion.
template <class Begin, class Visit, class End>
void walk_yield(const Forest& forest, const DerivationTree& tree, Begin begin, Visit visit, End end) {
  struct Frame {
    size_t place;
    size_t position;
  };
  if (tree.size() == 0) return;
  std::vector<Frame> open{{0, 0}};
  begin(size_t{0});
  while (!open.empty()) {
    Frame& frame = open.back();
    const auto target = forest.target(tree.edge(frame.place));
    if (frame.position == target.size()) {
      end(frame.place);
      open.pop_back();
      continue;
    }
    const size_t place = frame.place, position = frame.position++;
    visit(place, position);
    if (grammar::is_gap(target[position])) {
      const size_t below = tree.tail(place, grammar::gap_index(target[position]));
      open.push_back({below, 0});
      begin(below);
    }
  }
}

}  // namespace tunesmith::forest
