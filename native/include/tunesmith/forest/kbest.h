// The k best derivations of a forest, found one after another (Huang and Chiang 2005, algorithm 3).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "tunesmith/forest/derivation.h"
#include "tunesmith/forest/edge_scores.h"
#include "tunesmith/forest/yield_hash.h"

namespace tunesmith::forest {

/// Enumerates the derivations of the root by falling score. Nothing is computed before it is needed: after a
/// Viterbi pass over all edges, derivation k costs O(length x log k) at most, and the nodes that good
/// derivations never come to are never looked at. Derivations differ in an edge; a tail that repeats within
/// an edge has a rank for each position. Derivations of forbidden edges are not there. The forest and the
/// scores are the caller's and must stay.
///
/// Unique derivations have distinct yields. Of the derivations of a node that have one yield only the best
/// can be part of such a derivation, so the others are dropped there, at every node, before they multiply;
/// yields are told apart by fingerprints. Where more than `max_repeats` were dropped, the enumeration ends.
class LazyKbest {
 public:
  LazyKbest(const Forest& forest, std::span<const double> scores);
  static LazyKbest unique(const Forest& forest, std::span<const double> scores, uint64_t max_repeats);

  /// The next derivation of the root, or none when there is no other. Ties of one node come in an order that
  /// only depends on the forest and the scores, the first one with the lowest edge.
  std::optional<Derivation> next();

 private:
  /// An edge and, for each of its tails, which of the tail's derivations it takes.
  struct Candidate {
    double score;
    uint32_t edge;
    uint64_t ranks;  // where they begin in ranks_
  };
  struct Node {
    std::vector<Candidate> heap;   // not yet found, best on top
    std::vector<Candidate> found;  // by falling score
    Candidate last{};              // taken from the heap last; not among those found if it was a repeat
    uint32_t extended = 0;         // tail positions of the last one whose successor was made
    bool open = false;             // the heap held a candidate for each edge
    bool any = false;              // there is a last one
  };
  /// The yields of what a node found.
  struct NodeYields {
    std::vector<YieldHash> found;
    std::unordered_set<YieldHash, YieldHash::Hasher> seen;
  };
  struct Wish {
    uint32_t node;
    uint32_t rank;
  };

  bool worse(const Candidate& a, const Candidate& b) const;
  void open(uint32_t node);
  bool has(uint32_t node, uint32_t rank) const { return nodes_[node].found.size() > rank; }
  bool spent(const Node& node) const;
  bool find(uint32_t node, uint32_t rank);
  std::optional<Wish> extend(Node& node);
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
  std::vector<YieldHash> best_yields_;  // by node, of the best derivation
  std::vector<NodeYields> yields_;
  uint64_t repeats_left_ = 0;
};

struct KbestOptions {
  uint32_t k = 1;
  bool unique = false;       // each target string once, by its best derivation
  uint64_t patience = 1000;  // with unique, the search ends after k x patience repeated strings
};

/// A derivation and the text it yields.
struct TextDerivation {
  Derivation derivation;
  std::string text;
};

/// The derivations that the options ask for, in order, with their texts.
class KbestTexts {
 public:
  KbestTexts(const Forest& forest, std::span<const double> scores, const KbestOptions& options);
  std::optional<TextDerivation> next();

 private:
  const Forest& forest_;
  KbestOptions options_;
  LazyKbest derivations_;
  std::unordered_set<std::string> seen_;  // two words of a forest may have one name
  uint64_t given_ = 0;
  uint64_t repeats_ = 0;
};

/// The derivations that the options ask for, without their texts. An empty forest has none.
std::vector<Derivation> kbest(const Forest& forest, std::span<const double> scores,
                              const KbestOptions& options);

}  // namespace tunesmith::forest
