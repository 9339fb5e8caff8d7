// The n best distinct strings of the items of an oracle search, lazily.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/forest/derivation.h"
#include "tunesmith/forest/yield_hash.h"

namespace tunesmith::forest::oracles {

/// A way to make an item: an edge, and an item of each of its tails.
struct OracleWay {
  uint32_t edge;
  uint32_t first_tail;  // in `tails` of the graph
  double model;         // the best model score
};

/// Items of an oracle search, numbered from tails to heads, with the ways to make each. All derivations of an
/// item have the same statistics, so that only model scores distinguish them; unless some ways have a loss:
/// they make items that this one dominates, and take its place in a derivation at about this loss of gain.
struct OracleGraph {
  std::vector<OracleWay> ways;
  bool has_losses = false;
  std::vector<float> losses;           // of ways, if any has one
  std::vector<uint32_t> first_way{0};  // of each item; the best way comes first, and has no loss
  std::vector<uint32_t> tails;

  uint32_t size() const { return static_cast<uint32_t>(first_way.size()) - 1; }
  const OracleWay& best(uint32_t item) const { return ways[first_way[item]]; }
  double loss(uint32_t way) const { return has_losses ? losses[way] : 0.0; }
};

/// The best derivations with different strings of a graph's last item, by decreasing `model_weight * model`
/// plus the bonus of the way that makes the item, minus all losses; if the weight is 0, equal ones by
/// decreasing `model`. Huang and Chiang (2005), algorithm 3, over items. Of the derivations of an item with
/// equal strings only the best one is used further up. Nothing is computed for items that no such derivation
/// uses. Strings are compared by fingerprint. Ends after `max_repeats` equal strings.
class OracleKbest {
 public:
  /// `spellings` has a number for each word of the forest, equal if they are spelled alike; empty if no two
  /// are. `bonuses` has one for each way of the last item. All are kept by reference.
  OracleKbest(const Forest& forest, const OracleGraph& graph, std::span<const uint32_t> spellings,
              std::span<const double> bonuses, double model_weight, uint64_t max_repeats);

  struct Found {
    uint32_t way;  // of the last item, from 0
    Derivation derivation;
    double loss;  // sum of the losses of its ways
  };
  /// Called once. With losses, the model score of the first one is exact, that of others a lower bound.
  std::vector<Found> best(uint32_t most);

 private:
  /// A way with the rank of the derivation of each tail.
  struct Candidate {
    double score;
    double model;
    double loss;
    uint32_t way;
    uint32_t ranks;  // index of the first in `ranks_`
  };
  struct Item {
    uint32_t number = 0;
    uint32_t extended = 0;  // number of tails of `last` whose successor was pushed
    bool any = false;       // `last` is set
    Candidate last{};       // last one popped; not in `found` if its string was there
    std::vector<Candidate> heap, found;
    std::vector<YieldHash> yields;  // of `found`
  };
  struct ItemRank {
    uint32_t item, rank;
  };

  std::span<const uint32_t> tails(uint32_t way) const {
    return {graph_.tails.data() + graph_.ways[way].first_tail, forest_.tails(graph_.ways[way].edge).size()};
  }
  const Item& at(uint32_t item) const { return items_[*opened_.find(item)]; }
  bool has(ItemRank wanted) const { return at(wanted.item).found.size() > wanted.rank; }
  bool worse(const Candidate& a, const Candidate& b) const;
  Candidate made(uint32_t way, double model, double loss, uint32_t ranks) const;
  void open(uint32_t item);
  void fill(uint32_t item);
  bool spent(const Item& item) const;
  void find(ItemRank wanted);
  std::optional<ItemRank> extend(uint32_t opened);
  void pop(uint32_t opened);
  YieldHash yield(const Candidate& candidate) const;

  const Forest& forest_;
  const OracleGraph& graph_;
  std::span<const uint32_t> spellings_;
  std::span<const double> bonuses_;
  double model_weight_;
  uint64_t repeats_left_;
  FlatMap<uint32_t> opened_;  // number in `items_`, by item
  std::vector<Item> items_;
  std::vector<uint32_t> ranks_;
};

}  // namespace tunesmith::forest::oracles
