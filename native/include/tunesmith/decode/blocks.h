// Blocks of translated columns, and the orientations of phrases beside them.
#pragma once

#include "tunesmith/base/interner.h"
#include "tunesmith/base/range.h"
#include "tunesmith/base/text.h"
#include "tunesmith/decode/coverage.h"
#include "tunesmith/tables/orientation.h"

namespace tunesmith::decode {

/// The orientation of `range` relative to `block`, which was translated before it.
inline tables::Orientation orientation_beside(Range block, Range range) {
  if (range.begin == block.end) return tables::Orientation::kMonotone;
  if (range.end == block.begin) return tables::Orientation::kSwap;
  return range.begin > block.begin ? tables::Orientation::kRight : tables::Orientation::kLeft;
}

/// The forward orientation of `before` in the hierarchical model, as far as it is known when `range` follows;
/// `coverage` includes `before`, but not `range`. Never global: see `rest_follows`.
inline tables::Orientation forward_orientation(Range before, Range range, const Coverage& coverage) {
  if (range.begin >= before.end)
    return range.begin == before.end || !coverage.contains(before.end) ? tables::Orientation::kMonotone
                                                                       : tables::Orientation::kRight;
  return range.end == before.begin || !coverage.contains(before.begin - 1) ? tables::Orientation::kSwap
                                                                           : tables::Orientation::kLeft;
}

/// Whether the uncovered columns are one block that begins where `before` ends: the forward orientation of
/// `before` is global.
inline bool rest_follows(Range before, const Coverage& coverage, uint32_t columns) {
  size_t gaps = 0;
  coverage.for_each_gap(columns, [&](Range) { ++gaps; });
  return gaps == 1 && coverage.first_gap == before.end;
}

/// A translated block, and the stack of blocks below it. `mark` is what a feature keeps of the block's begin.
struct StackedBlock {
  Range range;
  uint32_t below;
  uint32_t mark = 0;

  friend bool operator==(const StackedBlock&, const StackedBlock&) = default;
};

/// Shift-reduce stacks of translated blocks that cannot be merged (Galley and Manning 2008); stacks share
/// their lower parts, and equal stacks have equal numbers.
class BlockStacks {
 public:
  /// The stack before the first phrase; its top is an empty block before the sentence.
  static constexpr uint32_t kEmpty = 0;

  BlockStacks() { clear(); }
  void clear() {
    blocks_.clear();
    number({{0, 0}, kNoNumber});
  }
  size_t bytes() const { return blocks_.bytes(); }
  Range top(uint32_t stack) const { return blocks_[stack].range; }
  uint32_t below(uint32_t stack) const { return blocks_[stack].below; }
  uint32_t mark(uint32_t stack) const { return blocks_[stack].mark; }
  /// The orientation of a range relative to the top block; global if everything before it is one block that
  /// is monotone with it, which holds also where nothing is before it.
  tables::Orientation orientation(uint32_t stack, Range range) const {
    const tables::Orientation found = orientation_beside(top(stack), range);
    const bool is_whole = stack == kEmpty || below(stack) == kEmpty;
    return is_whole && found == tables::Orientation::kMonotone ? tables::with_global(found) : found;
  }
  /// Shifts a range and merges it with adjacent blocks. The whole has the mark of what was translated first.
  uint32_t push(uint32_t stack, Range range, uint32_t mark = 0) {
    for (; stack != kEmpty; stack = blocks_[stack].below) {
      const Range block = blocks_[stack].range;
      if (range.begin == block.end)
        range.begin = block.begin;
      else if (range.end == block.begin)
        range.end = block.end;
      else
        break;
      mark = blocks_[stack].mark;
    }
    return number({range, stack, mark});
  }

 private:
  uint32_t number(const StackedBlock& block) {
    const uint64_t end = uint64_t{block.mark} << 32 | block.range.end;
    return blocks_.number(block, mix(mix(block.below, block.range.begin), end));
  }
  Interner<StackedBlock> blocks_;
};

}  // namespace tunesmith::decode
