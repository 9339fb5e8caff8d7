// A forest that is read from text, edge by edge.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tunesmith/base/name_table.h"
#include "tunesmith/forest/forest.h"

namespace tunesmith::forest {

/// Grows the arrays of a forest. Edges with the same words on both sides share a rule; features, which text
/// gives for each edge, are the edge's own.
class ForestDraft {
 public:
  grammar::Symbol word(std::string_view word) { return words_.intern(word); }
  /// Appends the words that ASCII spaces separate.
  void add_words(std::string_view text, std::vector<grammar::Symbol>& symbols);
  /// The number of the rule with these sides, a new one if need be.
  uint32_t rule(std::span<const grammar::Symbol> source, std::span<const grammar::Symbol> target);

  /// Appends a value to the features of the next edge; one that is not finite, or the second of one feature,
  /// is an InputError.
  void add_feature(std::string_view name, double value);
  /// `name=v`, split at the last `=`.
  void add_feature(std::string_view name_and_value);
  /// Appends an edge with these tails and the features that were added since the last one.
  void add_edge(std::span<const uint32_t> tails, uint32_t rule, SourceSpan span = {});
  /// Ends the in-edges of a node.
  void close_node() { arrays_.edge_offsets.push_back(static_cast<uint32_t>(edge_count())); }

  size_t edge_count() const { return arrays_.edge_rules.size(); }
  size_t node_count() const { return arrays_.edge_offsets.size() - 1; }

  /// The forest; the draft is empty again.
  Forest take();
  /// The forest whose node n has the in-edges `nodes[n]`, numbers of edges that were added; edge e has the
  /// tails `tails[e]`, whatever was said when it was added. For formats that tell edges in any order.
  Forest take(const std::vector<std::vector<uint32_t>>& nodes, const Rows<uint32_t>& tails);

 private:
  NameTable words_, features_;
  std::vector<size_t> last_edges_;  // 1 + the last edge with a value, of each feature
  ForestArrays arrays_;
  std::unordered_map<std::string, uint32_t> rules_;
};

/// A value of a feature; what is not a finite number is an InputError.
double parse_feature_value(std::string_view text);

}  // namespace tunesmith::forest
