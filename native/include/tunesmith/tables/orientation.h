// How a phrase pair lies beside what comes before and after it: the events of reordering models.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/corpus/alignment.h"

namespace tunesmith::tables {

/// Every set of classes is a coarsening of these. `kGlobal` is a bit beside the other four, in the
/// hierarchical model only: all that comes before (after) is one block that is monotone with the phrase pair.
/// Forward that may be so where Moses says something else than monotone.
enum class Orientation : uint8_t { kMonotone = 0, kSwap = 1, kLeft = 2, kRight = 3, kGlobal = 4 };
inline constexpr int kOrientations = 8;

inline bool is_global(Orientation orientation) { return (static_cast<uint8_t>(orientation) & 4) != 0; }
/// What Moses says: one of the first four.
inline Orientation without_global(Orientation orientation) {
  return static_cast<Orientation>(static_cast<uint8_t>(orientation) & 3);
}
inline Orientation with_global(Orientation orientation) {
  return static_cast<Orientation>(static_cast<uint8_t>(orientation) | 4);
}

/// What a phrase pair is compared with: a word, a phrase pair that may be extracted, a block of any size.
enum class OrientationModel : uint8_t { kWord = 0, kPhrase = 1, kHierarchical = 2 };

/// Backward compares with what precedes on the target side, forward with what follows.
enum class Direction : uint8_t { kBackward = 0, kForward = 1 };

/// The orientations of one phrase pair in all models and directions, three bits each.
class OrientationSet {
 public:
  OrientationSet() = default;
  explicit OrientationSet(uint32_t bits) : bits_(bits) {}

  void set(OrientationModel model, Direction direction, Orientation orientation) {
    bits_ |= static_cast<uint32_t>(orientation) << shift(model, direction);
  }
  Orientation get(OrientationModel model, Direction direction) const {
    return static_cast<Orientation>(bits_ >> shift(model, direction) & 7);
  }
  uint32_t bits() const { return bits_; }
  /// Whether only hierarchical orientations are global: a damaged file may hold anything.
  bool valid() const;

 private:
  static int shift(OrientationModel model, Direction direction) {
    return 6 * static_cast<int>(model) + 3 * static_cast<int>(direction);
  }
  uint32_t bits_ = 0;
};

/// A phrase pair within a sentence pair: source words [source_begin, source_end), target words alike.
struct PhraseSpan {
  int source_begin, source_end;
  int target_begin, target_end;
};

/// For each target position a set of source positions; a position outside of the matrix is in no set.
class PositionSets {
 public:
  void reset(int rows, int columns);
  /// All of [first, last], O(words of 64).
  void insert(int row, int first, int last);
  /// The same where [first, last] always comes with the same `mark`, one of its ends: O(1) but once a row.
  void insert_once(int row, int first, int last, int mark) {
    if (!contains(row, mark)) insert(row, first, last);
  }
  bool contains(int row, int column) const {
    if (row < 0 || row >= rows_ || column < 0 || column >= columns_) return false;
    return bits_[index(row, column / 64)] >> column % 64 & 1;
  }
  /// Whether the row has a position in [first, last).
  bool contains_any(int row, int first, int last) const;
  /// Whether the row has a position below `end`.
  bool contains_below(int row, int end) const {
    return row >= 0 && row < rows_ && least_[static_cast<size_t>(row)] < end;
  }

 private:
  size_t index(int row, int word) const {
    return static_cast<size_t>(row) * static_cast<size_t>(words_) + static_cast<size_t>(word);
  }
  uint64_t& at(int row, int word) { return bits_[index(row, word)]; }

  int rows_ = 0, columns_ = 0, words_ = 0;
  std::vector<uint64_t> bits_;
  std::vector<int> least_;
};

/// The corners of consistent phrase pairs of a sentence pair, from which orientations are read off, as
/// Moses' `extract` does (Koehn et al. 2005; Galley and Manning 2008).
class OrientationReader {
 public:
  void reset(int source_length, int target_length, std::span<const corpus::Link> links);
  /// Notes the phrase pairs with the target side [target_begin, target_end), the source side of which may
  /// begin in [first_begin, last_begin] and end (its last word) in [first_end, last_end]. `short_begin` and
  /// `short_end` are the outermost ends within the limit of length; no pair is within it where `is_short`
  /// is false.
  struct Block {
    int target_begin, target_end;
    int first_begin, last_begin;
    int first_end, last_end;
    bool is_short;
    int short_begin, short_end;
  };
  void add(const Block& block);

  OrientationSet read(const PhraseSpan& span) const;

 private:
  Orientation word(const PhraseSpan& span, Direction direction) const;
  Orientation block(const PhraseSpan& span, Direction direction, const PositionSets& ends,
                    const PositionSets& begins) const;
  bool global(const PhraseSpan& span, Direction direction) const;
  bool aligned(int source, int target) const;

  int source_length_ = 0, target_length_ = 0;
  PositionSets links_;
  std::vector<int> last_link_;                      // of each target word, -1 where it has none
  PositionSets short_begins_, short_ends_;          // source begins and ends by last target word
  PositionSets begins_, ends_;                      // the same of pairs of any length
  PositionSets ends_of_prefix_, begins_of_suffix_;  // of blocks that reach to the border of the target
};

}  // namespace tunesmith::tables
