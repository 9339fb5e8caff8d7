// What a decoder translates: a sentence, or a lattice of words that might have been said. Lattices as input
// of both decoders (Dyer, Muresan and Resnik 2008).
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tunesmith/base/range.h"

namespace tunesmith::corpus {

/// An arc from the node under which it stands to the node `end`.
struct LatticeArc {
  uint32_t end;
  std::string word;
  float score = 0;                                           // log of the arc's value
  std::vector<std::pair<std::string, float>> features = {};  // by name, each once; finite
};

/// Nodes are numbered so that arcs point to higher ones; the last node is the end. Column i is what lies
/// between the nodes i and i + 1; an arc covers all columns between its nodes. A sentence has one arc a
/// column.
class WordLattice {
 public:
  static constexpr uint32_t kUnreachable = std::numeric_limits<uint32_t>::max();
  static constexpr size_t kMostNodes = 1 << 13;  // of a lattice: all distances are kept, in 256 MB at most

  static WordLattice sentence(std::string_view text);
  /// Arcs by the node that they leave. Throws InputError unless every node can be reached and left, or if
  /// nodes are too many.
  explicit WordLattice(std::vector<std::vector<LatticeArc>> arcs)
      : WordLattice(std::move(arcs), kMostNodes) {}

  /// The same with a word before and a word after it.
  WordLattice between(std::string_view first, std::string_view last) const;

  uint32_t columns() const { return static_cast<uint32_t>(arcs_.size()); }
  bool is_sentence() const { return distances_.empty(); }
  /// Whether an arc's score is not 0: only then does a model need a weight for it.
  bool has_scores() const { return has_scores_; }
  /// The features that arcs name, each once, sorted: a model needs a weight for each.
  const std::vector<std::string>& feature_names() const { return feature_names_; }
  const std::vector<LatticeArc>& arcs(uint32_t node) const { return arcs_[node]; }

  /// Words on the shortest way between two nodes, whichever comes first; kUnreachable where no way leads.
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
