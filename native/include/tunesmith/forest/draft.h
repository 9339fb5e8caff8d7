// Builder of a forest that is read from text, edge by edge.
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

/// Builds the arrays of a forest. Edges with the same words on both sides share a rule; features, which text
/// formats give per edge, belong to the edge.
class ForestDraft {
 public:
  grammar::Symbol word(std::string_view word) { return words_.intern(word); }
  /// Appends the words of a text, split at ASCII spaces.
  void add_words(std::string_view text, std::vector<grammar::Symbol>& symbols);
  /// Number of the rule with these sides, which is added if new.
  uint32_t rule(std::span<const grammar::Symbol> source, std::span<const grammar::Symbol> target);

  /// Appends a feature of the next edge. Throws InputError if the value is not finite or the feature repeats.
  void add_feature(std::string_view name, double value);
  /// `name=v`, split at the last `=`.
  void add_feature(std::string_view name_and_value);
  /// Appends an edge with these tails and the features added since the last edge.
  void add_edge(std::span<const uint32_t> tails, uint32_t rule, SourceSpan span = {});
  /// Ends the in-edges of the current node.
  void close_node() { arrays_.edge_offsets.push_back(static_cast<uint32_t>(edge_count())); }

  size_t edge_count() const { return arrays_.edge_rules.size(); }
  size_t node_count() const { return arrays_.edge_offsets.size() - 1; }

  /// The forest; the draft is empty again.
  Forest take();
  /// The forest whose node n has the in-edges `nodes[n]`, by number in the order added; edge e has the tails
  /// `tails[e]` in place of those it was added with. For formats with edges in any order.
  Forest take(const std::vector<std::vector<uint32_t>>& nodes, const Rows<uint32_t>& tails);

 private:
  NameTable words_, features_;
  std::vector<size_t> last_edges_;  // 1 + the last edge with a value, of each feature
  ForestArrays arrays_;
  std::unordered_map<std::string, uint32_t> rules_;
};

/// Parses a feature value. Throws InputError unless it is a finite number.
double parse_feature_value(std::string_view text);

}  // namespace tunesmith::forest
