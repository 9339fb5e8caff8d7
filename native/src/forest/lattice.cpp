#include "tunesmith/forest/lattice.h"

namespace tunesmith::forest {

bool is_lattice(const Forest& forest) {
  for (uint32_t edge = 0; edge < forest.edge_count(); ++edge)
    if (forest.tails(edge).size() > 1 ||
        (forest.tails(edge).size() == 1 && !grammar::is_gap(forest.target(edge)[0])))
      return false;
  return true;
}

std::vector<int64_t> covered_words(const Forest& forest) {
  const bool lattice = is_lattice(forest);
  std::vector<int64_t> covered(forest.node_count());
  for (uint32_t node = 0; node < forest.node_count(); ++node)
    for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
      const int64_t before = lattice && !forest.tails(edge).empty() ? covered[forest.tails(edge)[0]] : 0;
      covered[node] = std::max(covered[node], before + span_width(forest.span(edge)));
    }
  return covered;
}

}  // namespace tunesmith::forest
