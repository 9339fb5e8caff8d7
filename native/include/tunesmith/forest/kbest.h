// K best derivations of a forest, lazily (Huang and Chiang 2005, algorithm 3).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/forest/derivation.h"
#include "tunesmith/forest/edge_scores.h"
#include "tunesmith/forest/yield_hash.h"

namespace tunesmith::forest {

/// Enumerates the derivations of the root by decreasing score. Nothing is computed before it is needed: after
/// a Viterbi pass over all edges, derivation k costs at most O(length x log k), and nodes that no good
/// derivation uses are never expanded. Derivations differ in at least one edge; a tail that repeats within an
/// edge has one rank per position. Derivations with forbidden edges are skipped. The forest and the scores
/// belong to the caller and must outlive the enumeration.
///
/// Unique derivations have distinct yields. Of the derivations of a node with the same yield only the best
/// can be part of a unique one, so the others are dropped at every node, before they multiply; yields are
/// compared by fingerprint. The enumeration ends when more than `max_repeats` were dropped.
class LazyKbest {
 public:
  LazyKbest(const Forest& forest, std::span<const double> scores);
  static LazyKbest unique(const Forest& forest, std::span<const double> scores, uint64_t max_repeats);

  /// The next derivation of the root, or none. The order of ties at a node depends on the forest and the
  /// scores only; the first has the lowest edge.
  std::optional<Derivation> next();

 private:
  /// An edge with the rank of the derivation of each of its tails.
  struct Candidate {
    double score;
    uint32_t edge;
    uint64_t ranks;  // index of the first in ranks_
  };
  struct Node {
    std::vector<Candidate> heap;   // not yet found, best on top
    std::vector<Candidate> found;  // by decreasing score
    Candidate last{};              // last one popped from the heap; not in `found` if it was a repeat
    uint32_t extended = 0;         // number of tail positions of `last` whose successor was pushed
    bool open = false;             // the heap was filled with a candidate per edge
    bool any = false;              // `last` is set
  };
  struct NodeRank {
    uint32_t node;
    uint32_t rank;
  };

  bool worse(const Candidate& a, const Candidate& b) const;
  void open(uint32_t node);
  bool has(uint32_t node, uint32_t rank) const { return nodes_[node].found.size() > rank; }
  bool spent(const Node& node) const;
  bool find(uint32_t node, uint32_t rank);
  std::optional<NodeRank> extend(Node& node);
  void push(Node& node, const Candidate& candidate);
  void pop(uint32_t node);
  void find_best_yields();
  YieldHash yield(const Candidate& candidate) const;
  bool repeats(uint32_t node, const Candidate& candidate);

  const Forest& forest_;
  EdgeScores scores_;
  std::vector<double> beta_;
  std::vector<Node> nodes_;
  std::vector<uint32_t> ranks_;
  uint32_t next_ = 0;

  bool unique_ = false;
  std::vector<YieldHash> best_yields_;          // by node, of the best derivation
  std::vector<std::vector<YieldHash>> yields_;  // of the derivations found at a node
  FlatMap<NodeRank> seen_;                      // where a yield of a node was found, by hash
  uint64_t repeats_left_ = 0;
};

struct KbestOptions {
  uint32_t k = 1;
  bool unique = false;       // one derivation per target string, the best
  uint64_t patience = 1000;  // with `unique`, the search ends after k x patience repeated strings
};

/// A derivation and its yield as text.
struct TextDerivation {
  Derivation derivation;
  std::string text;
};

/// The derivations selected by the options, in order, with their texts.
class KbestTexts {
 public:
  KbestTexts(const Forest& forest, std::span<const double> scores, const KbestOptions& options);
  std::optional<TextDerivation> next();

 private:
  const Forest& forest_;
  KbestOptions options_;
  LazyKbest derivations_;
  std::unordered_set<std::string> seen_;  // two words of a forest may have the same spelling
  uint64_t given_ = 0;
  uint64_t repeats_ = 0;
};

/// The derivations selected by the options, without their texts. An empty forest has none.
std::vector<Derivation> kbest(const Forest& forest, std::span<const double> scores,
                              const KbestOptions& options);

}  // namespace tunesmith::forest
