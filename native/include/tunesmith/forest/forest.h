// Translation forest: all derivations of a sentence that a search kept, as an immutable hypergraph.
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

/// Vocabularies of words and features. Forests of one file or one decoder may share them.
struct ForestNames {
  TextColumn words;
  TextColumn features;
};

/// Rules, shared by the edges that apply them: words and gaps of both sides, word alignment, and features.
/// The target side is the yield of an edge: word numbers, and gap -1 - i for the yield of tail i. Links are
/// between positions of the two sides, gaps included.
struct ForestRules {
  Rows<grammar::Symbol> sources;  // an empty row if unknown
  Rows<grammar::Symbol> targets;
  Rows<corpus::Link> links;
  Rows<FeatureValue> features;
  std::vector<int64_t> ids;  // origin of each rule, such as its number in a phrase table; -1 if unknown

  size_t size() const { return ids.size(); }
};

/// Source span [begin, end) of an edge together with everything below it; in phrase lattices, where an edge
/// adds a phrase to its tail, of the edge alone. -1 if unknown.
struct SourceSpan {
  int32_t begin = -1;
  int32_t end = -1;

  friend bool operator==(const SourceSpan&, const SourceSpan&) = default;
};

/// The arrays of a forest. Node n has the in-edges [edge_offsets[n], edge_offsets[n + 1]).
struct ForestArrays {
  std::vector<uint32_t> edge_offsets{0};
  Rows<uint32_t> tails;  // of each edge; a tail has a lower number than the edge's head
  std::vector<uint32_t> edge_rules;
  std::vector<SourceSpan> spans;
  Rows<FeatureValue> features;  // of the edge alone, in addition to those of its rule
  ForestRules rules;
};

/// Nodes are in topological order, tails before heads; the last one is the root. Every node has an in-edge,
/// and therefore a derivation. A forest without nodes is the result of a search that found no translation.
class Forest {
 public:
  /// Throws InputError unless all of the above holds and every index is in range.
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
  /// Target side: words and gaps.
  std::span<const grammar::Symbol> target(uint32_t edge) const { return arrays_.rules.targets[rule(edge)]; }
  std::span<const FeatureValue> edge_features(uint32_t edge) const { return arrays_.features[edge]; }
  std::span<const FeatureValue> rule_features(uint32_t edge) const {
    return arrays_.rules.features[rule(edge)];
  }

  const ForestArrays& arrays() const { return arrays_; }
  const ForestRules& rules() const { return arrays_.rules; }
  const ForestNames& names() const { return *names_; }
  const std::shared_ptr<const ForestNames>& shared_names() const { return names_; }

  /// Bytes of its arrays, without the names.
  size_t bytes() const;

  /// Score of each edge: weights . (features of its rule + its own). O(feature values).
  std::vector<double> scores(std::span<const double> weights) const;

 private:
  ForestArrays arrays_;
  std::shared_ptr<const ForestNames> names_;
};

}  // namespace tunesmith::forest
