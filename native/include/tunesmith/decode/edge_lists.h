// Linked lists of the in-edges of search nodes: each edge holds the number of the next.
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

/// Adds an edge to a nonempty list. The best edge stays first; unless all are kept, it is the only one.
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
