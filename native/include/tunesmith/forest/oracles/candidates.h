// Candidate items of a node in an oracle search, and the lists of those that are compared.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/forest/oracles/kbest.h"
#include "tunesmith/forest/oracles/keys.h"

namespace tunesmith::forest::oracles {

/// The items of a node while its edges are combined: distinct keys [context, statistics...], the best way to
/// make each and, for more than one string, all others as linked lists; with a beam, also the items that each
/// one dominates.
struct OracleCandidates {
  static constexpr uint32_t kNone = UINT32_MAX;
  struct OtherWay {
    OracleWay way;
    uint32_t next;
  };
  struct Dominated {
    uint32_t item;
    float loss;  // if it takes the place of the item that dominates it
    uint32_t next;
  };

  explicit OracleCandidates(size_t key_width) : keys(key_width) {}

  OracleKeys keys;
  std::vector<OracleWay> items;
  std::vector<uint32_t> tails;
  std::vector<uint32_t> last_other;  // by item
  std::vector<OtherWay> others;
  std::vector<uint32_t> last_dominated;  // by item; empty if there are none
  std::vector<Dominated> dominated;

  void clear() {
    keys.clear();
    items.clear();
    tails.clear();
    last_other.clear();
    others.clear();
    last_dominated.clear();
    dominated.clear();
  }
  void add(const OracleWay& way) {
    items.push_back(way);
    last_other.push_back(kNone);
  }
  void add_other(uint32_t item, const OracleWay& way) {
    others.push_back({way, std::exchange(last_other[item], static_cast<uint32_t>(others.size()))});
  }
  /// All items must have been added.
  void add_dominated(uint32_t item, uint32_t other, double loss) {
    last_dominated.resize(items.size(), kNone);
    const auto number = static_cast<uint32_t>(dominated.size());
    dominated.push_back({other, static_cast<float>(loss), std::exchange(last_dominated[item], number)});
  }

  /// Adds the ways to make an item to a graph, the best first, and those of the items that it dominates.
  void keep_ways(uint32_t item, const Forest& forest, OracleGraph& graph) const {
    keep_ways(item, 0, forest, graph);
    if (last_dominated.empty()) return;
    for (uint32_t at = last_dominated[item]; at != kNone; at = dominated[at].next)
      keep_ways(dominated[at].item, dominated[at].loss, forest, graph);
  }

 private:
  void keep_ways(uint32_t item, float loss, const Forest& forest, OracleGraph& graph) const {
    keep_way(items[item], loss, forest, graph);
    for (uint32_t at = last_other[item]; at != kNone; at = others[at].next)
      keep_way(others[at].way, loss, forest, graph);
  }

  void keep_way(OracleWay way, float loss, const Forest& forest, OracleGraph& graph) const {
    const auto first = tails.begin() + way.first_tail;
    way.first_tail = static_cast<uint32_t>(graph.tails.size());
    const auto arity = static_cast<std::ptrdiff_t>(forest.tails(way.edge).size());
    graph.tails.insert(graph.tails.end(), first, first + arity);
    graph.ways.push_back(way);
    if (graph.has_losses) graph.losses.push_back(loss);
  }
};

/// Lists of candidates, by context and length.
class OracleRivals {
 public:
  void clear() {
    lists_.clear();
    links_.clear();
  }
  /// Number of rivals of one list, or `most`, for which `is_better(rival)` holds. O(rivals of the list).
  template <class IsBetter>
  size_t count(int32_t context, int32_t length, size_t most, IsBetter is_better) {
    const uint64_t key = uint64_t{static_cast<uint32_t>(context)} << 32 | static_cast<uint32_t>(length);
    list_ = &lists_.insert(key, {OracleCandidates::kNone, 0}).value;
    size_t found = 0;
    for (uint32_t at = list_->first; at != OracleCandidates::kNone && found < most; at = links_[at].next)
      found += is_better(links_[at].candidate) ? 1 : 0;
    return found;
  }
  /// Size of the list that was counted last.
  size_t size() const { return list_->size; }
  /// Adds a rival to it; no other may be counted in between.
  void add(uint32_t candidate) {
    links_.push_back({candidate, std::exchange(list_->first, static_cast<uint32_t>(links_.size()))});
    ++list_->size;
  }

 private:
  struct List {
    uint32_t first, size;
  };
  struct Link {
    uint32_t candidate, next;
  };
  FlatMap<List> lists_;
  std::vector<Link> links_;
  List* list_ = nullptr;
};

}  // namespace tunesmith::forest::oracles
