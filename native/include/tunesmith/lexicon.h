// Word translation probabilities from a word alignment (Koehn et al. 2003), with counts by fold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/alignment.h"
#include "tunesmith/sentences.h"

namespace tunesmith {

/// The partner of a word without links.
inline constexpr int32_t kNullWord = -1;

/// Counts of word pairs, sorted by source, target, fold.
struct LexiconCounts {
  std::vector<int32_t> sources, targets, folds;
  std::vector<int64_t> counts;
};

/// Every link counts once; a word without links counts once with kNullWord. `folds` may be empty.
LexiconCounts count_words(const Sentences& source, const Sentences& target, const Alignments& alignments,
                          std::span<const int32_t> folds, int threads);

/// Probabilities of word pairs in a hash table. O(1) a look-up.
class Lexicon {
 public:
  struct Entry {
    int32_t source, target;
    double source_given_target;  // p(f|e)
    double target_given_source;  // p(e|f)
  };

  /// Sums the counts of all folds but `exclude_fold` (-1 is none):
  /// p(f|e) = c(f, e) / sum_f' c(f', e), p(e|f) = c(f, e) / sum_e' c(f, e').
  Lexicon(std::span<const int32_t> sources, std::span<const int32_t> targets, std::span<const int32_t> folds,
          std::span<const int64_t> counts, int32_t exclude_fold);

  /// Null where the pair was never seen.
  const Entry* find(int32_t source, int32_t target) const {
    size_t slot = hash(source, target) & mask_;
    for (; slots_[slot] >= 0; slot = (slot + 1) & mask_) {
      const Entry& entry = entries_[static_cast<size_t>(slots_[slot])];
      if (entry.source == source && entry.target == target) return &entry;
    }
    return nullptr;
  }
  std::span<const Entry> entries() const { return entries_; }

 private:
  static size_t hash(int32_t source, int32_t target) {
    uint64_t key = uint64_t{static_cast<uint32_t>(source)} << 32 | static_cast<uint32_t>(target);
    key *= 0x9e3779b97f4a7c15ULL;
    return key ^ key >> 29;
  }
  std::vector<Entry> entries_;  // in the order of the counts
  std::vector<int32_t> slots_;
  size_t mask_ = 0;
};

}  // namespace tunesmith
