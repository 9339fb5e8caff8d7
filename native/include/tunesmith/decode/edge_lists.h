// The ways into the nodes of a search: lists of edges, each edge with the number of the next.
#pragma once

#include <cstdint>
#include <vector>

#include "tunesmith/decode/coverage.h"

namespace tunesmith::decode {

/// Calls body(edge) for the edges of the list that begins with `first`; kNoNumber is the empty list.
template <class Edge, class Body>
void for_each_linked(const std::vector<Edge>& edges, uint32_t first, Body body) {
  for (uint32_t at = first; at != kNoNumber; at = edges[at].next) body(edges[at]);
}

/// Adds an edge to a list that is not empty. The best one stays first, or alone if not all are kept.
template <class Edge>
void link_edge(std::vector<Edge>& edges, uint32_t& first, Edge edge, bool is_best, bool keep_all) {
  if (!keep_all) {
    if (is_best) edges[first] = edge;
    return;
  }
  uint32_t& before = is_best ? first : edges[first].next;
  edge.next = before;
  before = static_cast<uint32_t>(edges.size());
  edges.push_back(edge);
}

}  // namespace tunesmith::decode
