// Decoder input: a sentence, or a word lattice of alternative inputs (Dyer, Muresan and Resnik 2008).
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tunesmith/base/range.h"

namespace tunesmith::corpus {

/// An arc to the node `end`; its start node is the index of the list that holds it.
struct LatticeArc {
  uint32_t end;
  std::string word;
  float score = 0;                                           // log of the arc's value
  std::vector<std::pair<std::string, float>> features = {};  // by name, each once; finite
};

/// Nodes are in topological order: arcs lead to higher numbers, and the last node is the end. Column i lies
/// between nodes i and i + 1; an arc covers all columns between its nodes. A sentence has one arc per column.
class WordLattice {
 public:
  static constexpr uint32_t kUnreachable = std::numeric_limits<uint32_t>::max();
  static constexpr size_t kMostNodes = 1 << 13;  // of a lattice: its distance matrix takes at most 256 MB

  static WordLattice sentence(std::string_view text);
  /// `arcs[i]` leave node i. Throws InputError unless every node is on a path from start to end, or if there
  /// are too many nodes.
  explicit WordLattice(std::vector<std::vector<LatticeArc>> arcs)
      : WordLattice(std::move(arcs), kMostNodes) {}

  /// The same lattice with one word before and one after it.
  WordLattice between(std::string_view first, std::string_view last) const;

  uint32_t columns() const { return static_cast<uint32_t>(arcs_.size()); }
  bool is_sentence() const { return distances_.empty(); }
  /// Whether some arc has a nonzero score: only then does a model need a weight for arc scores.
  bool has_scores() const { return has_scores_; }
  /// The distinct names of arc features, sorted: a model needs a weight for each.
  const std::vector<std::string>& feature_names() const { return feature_names_; }
  const std::vector<LatticeArc>& arcs(uint32_t node) const { return arcs_[node]; }

  /// Number of words on the shortest path between two nodes, in either order; kUnreachable if there is none.
  uint32_t distance(uint32_t from, uint32_t to) const {
    if (is_sentence()) return from < to ? to - from : from - to;
    return distances_[size_t{std::min(from, to)} * (arcs_.size() + 1) + std::max(from, to)];
  }

 private:
  WordLattice() = default;
  WordLattice(std::vector<std::vector<LatticeArc>> arcs, size_t most_nodes);

  std::vector<std::vector<LatticeArc>> arcs_;
  std::vector<uint32_t> distances_;  // none for a sentence
  std::vector<std::string> feature_names_;
  bool has_scores_ = false;
};

}  // namespace tunesmith::corpus
