// k-way merge of sorted runs.
#pragma once

#include <bit>
#include <vector>

#include "tunesmith/base/record_runs.h"

namespace tunesmith {

/// Reads the records of all runs in `key` order; records with equal keys are combined by `absorb` if the type
/// has it. A tree of losers (Knuth, volume 3, 5.4.1): log2(runs) comparisons per record.
template <class Record>
class MergeReader {
 public:
  /// The runs must outlive the reader.
  MergeReader(const std::vector<Run<Record>>& runs, size_t buffer_records) {
    for (const auto& run : runs) readers_.emplace_back(run, buffer_records);
    leaves_ = std::bit_ceil(std::max<size_t>(readers_.size(), 1));
    keys_.assign(leaves_, Key::highest());
    for (size_t i = 0; i < readers_.size(); ++i) update(i);
    losers_.resize(leaves_);
    losers_[0] = play(1);
  }

  /// False at the end.
  bool next(Record& record) {
    if (!take(record)) return false;
    if constexpr (requires(Record a) { a.absorb(a); }) {
      Record same;
      while (keys_[losers_[0]] == record.key && take(same)) record.absorb(same);
    }
    return true;
  }

 private:
  using Key = decltype(Record::key);

  void update(size_t reader) {
    const Record* head = readers_[reader].head();
    keys_[reader] = head == nullptr ? Key::highest() : head->key;
  }

  /// Plays the matches below a node: returns the winner and stores the losers.
  size_t play(size_t node) {
    if (node >= leaves_) return node - leaves_;
    const size_t left = play(2 * node), right = play(2 * node + 1);
    const bool right_wins = keys_[right] < keys_[left];
    losers_[node] = right_wins ? left : right;
    return right_wins ? right : left;
  }

  bool take(Record& record) {
    size_t winner = losers_[0];
    if (winner >= readers_.size() || readers_[winner].head() == nullptr) return false;
    record = *readers_[winner].head();
    readers_[winner].advance();
    update(winner);
    for (size_t node = (winner + leaves_) / 2; node > 0; node /= 2)
      if (keys_[losers_[node]] < keys_[winner]) std::swap(losers_[node], winner);
    losers_[0] = winner;
    return true;
  }

  std::vector<RunReader<Record>> readers_;
  size_t leaves_ = 1;
  std::vector<Key> keys_;       // of the readers' head records
  std::vector<size_t> losers_;  // the overall winner, then the loser of the match at each inner node
};

}  // namespace tunesmith
