// Bit-parallel edit distance of word sequences, 64 cells at a time (Myers 1999, Hyyro 2003); WER.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/texts.h"

namespace tunesmith::metrics {

/// Levenshtein distance of hypotheses to one reference: insertions, deletions and substitutions. Word ids are
/// at least 0; -1 in a hypothesis matches no word. O(hypothesis * ceil(reference / 64)).
class EditDistance {
 public:
  void set_reference(std::span<const int32_t> reference);

  /// The distance. The first `kept` words must be those of the last hypothesis passed to `remember`; its
  /// cached columns are reused for them.
  size_t operator()(std::span<const int32_t> hypothesis, size_t kept = 0);

  /// As operator(), and caches the column after each word.
  size_t remember(std::span<const int32_t> hypothesis);

  size_t blocks() const { return blocks_; }

 private:
  /// Vertical differences of a column: bit i of `up` (`down`) is set if it rises (falls) by 1 from cell i to
  /// i + 1.
  struct Block {
    uint64_t up, down;
  };

  void start();
  void advance(int32_t word);
  const uint64_t* equal_bits(int32_t word);

  size_t length_ = 0, blocks_ = 0;
  uint64_t last_bit_ = 0;
  std::vector<size_t> starts_;     // positions of word w: positions_[starts_[w], starts_[w + 1])
  std::vector<size_t> positions_;  // in the reference
  std::vector<uint64_t> masks_;    // bit mask of each word's positions, if one block suffices
  std::vector<uint64_t> bits_;     // bit mask of the current word's positions, otherwise
  std::vector<Block> column_;
  size_t distance_ = 0;
  std::vector<Block> known_;  // cached columns of the remembered hypothesis
  std::vector<size_t> known_distances_;
};

/// Word error rate: writes [edits, reference words] per hypothesis: the fewest edits to any reference, and
/// the mean reference length.
void wer_stats(const Texts& hypotheses, std::span<const int64_t> lists, const std::vector<Texts>& references,
               int threads, std::span<double> out);

}  // namespace tunesmith::metrics
