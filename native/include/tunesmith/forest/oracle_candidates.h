// Candidate items of a node in an oracle search, and the lists of those that are compared.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/base/sequence_pool.h"
#include "tunesmith/forest/oracle_kbest.h"

namespace tunesmith::forest {

/// The items of a node while its edges are combined: distinct keys [context, statistics...], the best way to
/// make each and, for more than one string, all others as linked lists.
struct OracleCandidates {
  static constexpr uint32_t kNone = SequencePool<int32_t>::kUnknown;
  struct OtherWay {
    OracleWay way;
    uint32_t next;
  };

  SequencePool<int32_t> keys;
  std::vector<OracleWay> items;
  std::vector<uint32_t> tails;
  std::vector<uint32_t> last_other;  // by item
  std::vector<OtherWay> others;

  void clear() {
    keys.clear();
    items.clear();
    tails.clear();
    last_other.clear();
    others.clear();
  }
  void add(const OracleWay& way) {
    items.push_back(way);
    last_other.push_back(kNone);
  }
  void add_other(uint32_t item, const OracleWay& way) {
    others.push_back({way, std::exchange(last_other[item], static_cast<uint32_t>(others.size()))});
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

}  // namespace tunesmith::forest
