#include "tunesmith/forest/trim.h"

#include <algorithm>
#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/forest/compact.h"
#include "tunesmith/forest/inside_outside.h"

namespace tunesmith::forest {

std::vector<uint8_t> useful_edges(const Forest& forest, std::span<const uint8_t> keep) {
  if (keep.size() != forest.edge_count())
    throw InputError(std::to_string(keep.size()) + " marks for " + std::to_string(forest.edge_count()) +
                     " edges of a forest");
  // Bottom-up: what has a derivation; then top-down: what the root uses.
  std::vector<uint8_t> useful(forest.edge_count()), derivable(forest.node_count());
  for_each_edge(forest, [&](uint32_t node, uint32_t edge) {
    const auto tails = forest.tails(edge);
    useful[edge] =
        static_cast<uint8_t>(keep[edge] != 0 && std::all_of(tails.begin(), tails.end(), [&](uint32_t tail) {
                               return derivable[tail] != 0;
                             }));
    derivable[node] |= useful[edge];
  });
  std::vector<uint8_t> used(forest.node_count());
  if (!forest.empty()) used[forest.root()] = 1;
  for (auto node = static_cast<uint32_t>(forest.node_count()); node-- > 0;)
    for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
      useful[edge] &= used[node];
      if (useful[edge] != 0)
        for (const uint32_t tail : forest.tails(edge)) used[tail] = 1;
    }
  return useful;
}

Forest trim(const Forest& forest, std::span<const uint8_t> keep) {
  const auto useful = useful_edges(forest, keep);
  std::vector<uint8_t> nodes(forest.node_count());
  for_each_edge(forest, [&](uint32_t node, uint32_t edge) { nodes[node] |= useful[edge]; });
  const auto new_node = compact_numbers(nodes);
  ForestArrays arrays;
  for (uint32_t node = 0; node < forest.node_count(); ++node) {
    if (nodes[node] == 0) continue;
    for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
      if (useful[edge] == 0) continue;
      for (const uint32_t tail : forest.tails(edge)) arrays.tails.values.push_back(new_node[tail]);
      arrays.tails.close();
      arrays.edge_rules.push_back(forest.rule(edge));
      arrays.spans.push_back(forest.span(edge));
      arrays.features.add(forest.edge_features(edge));
    }
    arrays.edge_offsets.push_back(static_cast<uint32_t>(arrays.edge_rules.size()));
  }
  arrays.rules = used_rules(forest.rules(), arrays.edge_rules);
  return {std::move(arrays), forest.shared_names()};
}

}  // namespace tunesmith::forest
