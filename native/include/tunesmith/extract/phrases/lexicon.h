// Lexical translation probabilities from a word alignment (Koehn et al. 2003), with counts by fold.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/corpus/alignment.h"
#include "tunesmith/corpus/sentences.h"

namespace tunesmith::extract::phrases {

/// NULL, the partner of an unaligned word.
inline constexpr int32_t kNullWord = -1;

/// Counts of word pairs, sorted by source, target, fold.
struct LexiconCounts {
  std::vector<int32_t> sources, targets, folds;
  std::vector<int64_t> counts;
};

/// Counts each link once, and each unaligned word once with kNullWord; or as often as the weight of the
/// sentence pair. `folds` and `weights` may be empty.
LexiconCounts count_words(const corpus::Sentences& source, const corpus::Sentences& target,
                          const corpus::Alignments& alignments, std::span<const int32_t> folds, int threads,
                          std::span<const int64_t> weights = {});

/// Probabilities of word pairs in hash tables: O(1) per look-up.
class Lexicon {
 public:
  struct Entry {
    int32_t source, target;
    double source_given_target;  // p(f|e)
    double target_given_source;  // p(e|f)
  };

  /// Sums the counts of all folds but `exclude_fold` (-1: none):
  /// p(f|e) = c(f, e) / sum_f' c(f', e), p(e|f) = c(f, e) / sum_e' c(f, e').
  Lexicon(std::span<const int32_t> sources, std::span<const int32_t> targets, std::span<const int32_t> folds,
          std::span<const int64_t> counts, int32_t exclude_fold);
  /// Takes probabilities as they are; each pair occurs once.
  explicit Lexicon(std::vector<Entry> entries);

  /// nullptr if the pair is unknown.
  const Entry* find(int32_t source, int32_t target) const {
    const auto row = static_cast<size_t>(source) + 1;
    if (row + 1 >= rows_.size() || rows_[row] == rows_[row + 1]) return nullptr;
    const size_t mask = rows_[row + 1] - rows_[row] - 1;
    for (size_t slot = hash(target) & mask;; slot = (slot + 1) & mask) {
      const int32_t index = slots_[rows_[row] + slot];
      if (index < 0) return nullptr;
      const Entry& entry = entries_[static_cast<size_t>(index)];
      if (entry.target == target) return &entry;
    }
  }
  std::span<const Entry> entries() const { return entries_; }

 private:
  static size_t hash(int32_t target) {
    const uint64_t key = static_cast<uint32_t>(target) * 0x9e3779b97f4a7c15ULL;
    return key >> 32;
  }
  void index();

  std::vector<Entry> entries_;  // in the order of the counts
  // One small hash table per source word: phrases are sorted by source words, so that few tables are in use
  // at a time and stay in the cache. Row i + 1 belongs to word i; each has a power of two of slots, at least
  // half of them free.
  std::vector<size_t> rows_;
  std::vector<int32_t> slots_;
};

}  // namespace tunesmith::extract::phrases
