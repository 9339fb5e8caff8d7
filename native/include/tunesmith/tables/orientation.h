// Orientations of phrase pairs relative to their neighbors: the events of lexicalized reordering models.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/corpus/alignment.h"

namespace tunesmith::tables {

/// The finest set of classes; OrientationClasses are coarsenings of it. `kGlobal` is a flag added to one of
/// the other four, in the hierarchical model only: everything before (after) is one block that is monotone
/// with the phrase pair. Forward, it may be set where Moses' orientation is not monotone.
enum class Orientation : uint8_t { kMonotone = 0, kSwap = 1, kLeft = 2, kRight = 3, kGlobal = 4 };
inline constexpr int kOrientations = 8;

inline bool is_global(Orientation orientation) { return (static_cast<uint8_t>(orientation) & 4) != 0; }
/// Moses' orientation: one of the first four.
inline Orientation without_global(Orientation orientation) {
  return static_cast<Orientation>(static_cast<uint8_t>(orientation) & 3);
}
inline Orientation with_global(Orientation orientation) {
  return static_cast<Orientation>(static_cast<uint8_t>(orientation) | 4);
}

/// The kind of neighbor that determines the orientation: a word, an extractable phrase pair, or a block of
/// any size.
enum class OrientationModel : uint8_t { kWord = 0, kPhrase = 1, kHierarchical = 2 };

/// Backward compares with the previous neighbor on the target side, forward with the next.
enum class Direction : uint8_t { kBackward = 0, kForward = 1 };

/// How orientations are read off an aligned sentence pair. They differ in the phrase and hierarchical models.
///
/// - `kBlocks`: relative to a block that ends with the previous, or begins with the next target word (Galley
///   and Manning 2008).
/// - `kDecoder`: likewise, but forward orientations of the hierarchical model are what a decoder knows when
///   the next phrase follows: a source word beside the phrase that is not covered yet may still join the
///   block.
/// - `kMoses`: as Moses' `extract`, with two quirks. Forward orientations consider blocks that *end* (not
///   begin) with the next target word, and the last source position is not searched for a discontinuous
///   block.
enum class OrientationEvents : uint8_t { kBlocks = 0, kDecoder = 1, kMoses = 2 };

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
  /// Whether only hierarchical orientations are global; false only in damaged files.
  bool valid() const;

 private:
  static int shift(OrientationModel model, Direction direction) {
    return 6 * static_cast<int>(model) + 3 * static_cast<int>(direction);
  }
  uint32_t bits_ = 0;
};

/// A phrase pair within a sentence pair: source words [source_begin, source_end), target words likewise.
struct PhraseSpan {
  int source_begin, source_end;
  int target_begin, target_end;
};

/// A set of source positions per target position, as bit rows. Positions outside of the matrix are in no set.
class PositionSets {
 public:
  void reset(int rows, int columns);
  /// Inserts all of [first, last], by words of 64 bits.
  void insert(int row, int first, int last);
  /// As above, where one end, `key`, determines the range: O(1) if it was inserted before.
  void insert_once(int row, int first, int last, int key) {
    if (!contains(row, key)) insert(row, first, last);
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

/// Determines orientations from the corners of the consistent phrase pairs of a sentence pair (Koehn et al.
/// 2005; Galley and Manning 2008).
class OrientationReader {
 public:
  explicit OrientationReader(OrientationEvents events) : events_(events) {}

  void reset(int source_length, int target_length, std::span<const corpus::Link> links);
  /// The phrase pairs with target side [target_begin, target_end), whose source side begins in [first_begin,
  /// last_begin] and has its last word in [first_end, last_end]. If `is_short`, some are within the length
  /// limit, and `short_begin` and `short_end` are their outermost ends.
  struct Block {
    int target_begin, target_end;
    int first_begin, last_begin;
    int first_end, last_end;
    bool is_short;
    int short_begin, short_end;
  };
  void add(const Block& block);

  /// The orientations of a phrase pair, after all blocks were added.
  OrientationSet read(const PhraseSpan& span) const;

 private:
  /// Where the source sides of blocks begin and end, by a target word.
  struct Corners {
    PositionSets begins, ends;

    void reset(int rows, int columns);
    void insert(int row, const Block& block);
    void insert_short(int row, const Block& block);
  };
  /// Blocks by their last target word, and by their first one; Moses needs no others than the former.
  struct Blocks {
    Corners before, after;
  };
  /// The target word beside a phrase pair, and whether it is linked to the source words beside it.
  struct Neighbor {
    Direction direction;
    int target;
    bool link_before, link_after;
  };

  void find_targets(std::span<const corpus::Link> links);
  Neighbor beside(const PhraseSpan& span, Direction direction) const;
  Orientation word(const PhraseSpan& span, const Neighbor& neighbor) const;
  Orientation block(const PhraseSpan& span, const Neighbor& neighbor, const Blocks& blocks) const;
  Orientation hierarchical(const PhraseSpan& span, const Neighbor& neighbor) const;
  bool global(const PhraseSpan& span, Direction direction) const;
  bool aligned(int source, int target) const;

  OrientationEvents events_;
  int source_length_ = 0, target_length_ = 0;
  PositionSets links_;
  std::vector<int> last_link_;                      // of each target word; -1 if unaligned
  std::vector<int> target_before_, target_after_;   // first target of the last (first) aligned source word
                                                    // before (from) each position; kDecoder only
  Blocks short_, any_;                              // pairs within the length limit, and of any length
  PositionSets ends_of_prefix_, begins_of_suffix_;  // of blocks at the begin or end of the target sentence
};

}  // namespace tunesmith::tables
