// Statistics of whole derivations, by the joins of an oracle search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/forest/oracles/joins.h"
#include "tunesmith/forest/oracles/statistics.h"

namespace tunesmith::forest::oracles {

/// Computes the row of statistics of derivations of the root from their edges. Joins are those of the search,
/// where most of them are known. O(edges + matches) per derivation.
class OracleRows {
 public:
  OracleRows(const Forest& forest, const OracleStatistics& statistics, OracleJoins& joins)
      : forest_(forest), statistics_(statistics), joins_(joins) {}

  /// The row of a derivation in preorder. Valid until the next call.
  std::span<const int32_t> of(std::span<const uint32_t> edges) {
    if (heads_.empty()) find_heads();
    contexts_.clear();
    row_.assign(statistics_.width(), 0);
    for (size_t i = edges.size(); i-- > 0;) {  // tails before heads, the first tail last
      const size_t arity = forest_.tails(edges[i]).size();
      tails_.assign(contexts_.rbegin(), contexts_.rbegin() + static_cast<std::ptrdiff_t>(arity));
      contexts_.resize(contexts_.size() - arity);
      const OracleJoin& join = joins_.of(heads_[edges[i]], edges[i], tails_);
      statistics_.add_words(row_, join.words);
      for (const uint32_t ngram : join.matches) statistics_.add_match(row_, ngram);
      contexts_.push_back(static_cast<int32_t>(join.context));
    }
    return row_;
  }

 private:
  void find_heads() {
    heads_.resize(forest_.edge_count());
    for (uint32_t node = 0; node < forest_.node_count(); ++node)
      std::fill(heads_.begin() + forest_.first_edge(node), heads_.begin() + forest_.last_edge(node), node);
  }

  const Forest& forest_;
  const OracleStatistics& statistics_;
  OracleJoins& joins_;
  std::vector<uint32_t> heads_;  // of edges
  std::vector<int32_t> contexts_, tails_, row_;
};

}  // namespace tunesmith::forest::oracles
