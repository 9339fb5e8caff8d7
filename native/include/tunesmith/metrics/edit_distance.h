// Edit distance between sequences of word ids, 64 cells at a time (Myers 1999, Hyyro 2003).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/base/texts.h"

namespace tunesmith::metrics {

/// The number of insertions, deletions and substitutions that turn hypotheses into one reference.
/// Word ids are at least 0; -1 in a hypothesis equals no word. O(hypothesis * ceil(reference / 64)).
class EditDistance {
 public:
  void set_reference(std::span<const int32_t> reference);

  /// The distance. If the first `kept` words are those of the hypothesis of the last `remember`,
  /// the work starts behind them.
  size_t operator()(std::span<const int32_t> hypothesis, size_t kept = 0);

  /// As operator(), and keeps what is known after each word.
  size_t remember(std::span<const int32_t> hypothesis);

  size_t blocks() const { return blocks_; }

 private:
  /// A column of the matrix as differences: bit i of `up` (`down`) says that cell i + 1 is one more
  /// (less) than cell i.
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
  std::vector<uint64_t> masks_;    // positions of each word as bits, where one block is enough
  std::vector<uint64_t> bits_;     // positions of the word at hand as bits, where it is not
  std::vector<Block> column_;
  size_t distance_ = 0;
  std::vector<Block> known_;  // columns of the remembered hypothesis
  std::vector<size_t> known_distances_;
};

/// Word error rate: writes [edits, reference words] a hypothesis: the fewest edits to any reference,
/// and the references' mean length.
void wer_stats(const Texts& hypotheses, std::span<const int64_t> lists, const std::vector<Texts>& references,
               int threads, std::span<double> out);

}  // namespace tunesmith::metrics
