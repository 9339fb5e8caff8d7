// The forest: all derivations of a sentence that a search kept, as an immutable hypergraph.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "tunesmith/base/name_table.h"
#include "tunesmith/base/rows.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::forest {

/// Words and features by name. Forests of one file, or of one decoder, may share them.
struct ForestNames {
  TextColumn words;
  TextColumn features;
};

/// What edges share: words and gaps on both sides, links between them, and features. A target side is the
/// yield of the edge: a word's number, or gap -1 - i, where the yield of tail i stands. Links count the
/// positions of both sides, gaps counted.
struct ForestRules {
  Rows<grammar::Symbol> sources;  // may be empty rows, where nobody told
  Rows<grammar::Symbol> targets;
  Rows<corpus::Link> links;
  Rows<FeatureValue> features;
  std::vector<int64_t>
      ids;  // where the rule came from, such as the pair's number in a table; -1 if nobody told

  size_t size() const { return ids.size(); }
};

/// Source words [begin, end) that an edge covers with all that is below it, or (in phrase lattices, where an
/// edge adds a phrase to its tail) that the edge itself covers. -1 where nobody told.
struct SourceSpan {
  int32_t begin = -1;
  int32_t end = -1;

  friend bool operator==(const SourceSpan&, const SourceSpan&) = default;
};

/// The arrays of a forest while it is built. Node n has the in-edges [edge_offsets[n], edge_offsets[n + 1]).
struct ForestArrays {
  std::vector<uint32_t> edge_offsets{0};
  Rows<uint32_t> tails;  // of each edge; every tail is a lower node than the edge's head
  std::vector<uint32_t> edge_rules;
  std::vector<SourceSpan> spans;
  Rows<FeatureValue> features;  // of the edge alone, beside those of its rule
  ForestRules rules;
};

/// Nodes are in topological order, tails before heads; the last one is the root. Every node has an in-edge,
/// so every node has a derivation. A forest without nodes has none: a search found no translation.
class Forest {
 public:
  /// Throws InputError unless all of the above holds and every index is within its array.
  Forest(ForestArrays arrays, std::shared_ptr<const ForestNames> names);

  size_t node_count() const { return arrays_.edge_offsets.size() - 1; }
  size_t edge_count() const { return arrays_.edge_rules.size(); }
  size_t rule_count() const { return arrays_.rules.size(); }
  bool empty() const { return node_count() == 0; }
  uint32_t root() const { return static_cast<uint32_t>(node_count()) - 1; }

  uint32_t first_edge(uint32_t node) const { return arrays_.edge_offsets[node]; }
  uint32_t last_edge(uint32_t node) const { return arrays_.edge_offsets[node + 1]; }
  std::span<const uint32_t> tails(uint32_t edge) const { return arrays_.tails[edge]; }
  uint32_t rule(uint32_t edge) const { return arrays_.edge_rules[edge]; }
  SourceSpan span(uint32_t edge) const { return arrays_.spans[edge]; }
  /// Words and gaps of the target side.
  std::span<const grammar::Symbol> target(uint32_t edge) const { return arrays_.rules.targets[rule(edge)]; }
  std::span<const FeatureValue> edge_features(uint32_t edge) const { return arrays_.features[edge]; }
  std::span<const FeatureValue> rule_features(uint32_t edge) const {
    return arrays_.rules.features[rule(edge)];
  }

  const ForestArrays& arrays() const { return arrays_; }
  const ForestRules& rules() const { return arrays_.rules; }
  const ForestNames& names() const { return *names_; }
  const std::shared_ptr<const ForestNames>& shared_names() const { return names_; }

  /// The memory of its arrays; names are shared.
  size_t bytes() const;

  /// The score of each edge: its rule's features and its own, times their weights. O(values).
  std::vector<double> scores(std::span<const double> weights) const;

 private:
  ForestArrays arrays_;
  std::shared_ptr<const ForestNames> names_;
};

}  // namespace tunesmith::forest
