// All rules that fit somewhere in a sentence: the cells of a chart, and what each can be made of.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tunesmith/base/held_bytes.h"
#include "tunesmith/decode/feature.h"

namespace tunesmith::decode::chart {

/// A symbol of a source side at its place: a word on an arc of the input, or a gap that a cell fills.
struct PlacedSymbol {
  uint32_t before;  // the symbol to the left; kNoNumber at the left end
  uint32_t column;  // where it begins
  uint32_t arc;     // of the arcs that leave the column; of no meaning for a gap
  uint32_t cell;    // kNoNumber for a word
};

/// The rules of one source side at one place.
struct RuleUse {
  std::span<const Option> options;  // best lead first
  uint32_t first_tail = 0;          // of the cells that its gaps stand for, by gap
  uint32_t arity = 0;
  uint32_t last_symbol = kNoNumber;  // of the source side; kNoNumber for a word that no grammar has
  float input_score = 0;             // of the arcs, weighted
};

/// A range of the input as one kind of constituent.
struct ChartCell {
  Range range;
  uint32_t category = 0;
  uint32_t first = 0, last = 0;  // of the uses
  bool is_needed = false;        // whether the goal can be made with it
};

/// The columns of the input that a range covers: charts have a column more at both ends, for marks.
inline Range unmarked(Range range, uint32_t columns) {
  const auto column = [&](uint32_t at) { return std::min(at > 0 ? at - 1 : 0, columns); };
  return {column(range.begin), column(range.end)};
}

/// What the options of a sentence view, and the bytes of that which nobody else holds.
struct KeptRules {
  std::vector<std::shared_ptr<const void>> lists;
  size_t own_bytes = 0;

  void add(std::shared_ptr<const void> list) { lists.push_back(std::move(list)); }
  void add_own(std::shared_ptr<const void> list, size_t bytes) {
    lists.push_back(std::move(list));
    own_bytes += bytes;
  }
  size_t bytes() const { return held_bytes(lists) + own_bytes; }
};

/// Cells come after the cells that they are made of; the last one is the goal. No cells: no derivation.
struct RuleChart {
  std::vector<ChartCell> cells;
  std::vector<RuleUse> uses;
  std::vector<uint32_t> tails;
  std::vector<PlacedSymbol> symbols;
  KeptRules kept;
  std::vector<std::unique_ptr<std::vector<Option>>> allowed;  // where not all options of a list are
  DecoderInput input;

  std::span<const uint32_t> tails_of(const RuleUse& use) const {
    return {tails.data() + use.first_tail, use.arity};
  }
  size_t bytes() const {
    return held_bytes(cells) + held_bytes(uses) + held_bytes(tails) + held_bytes(symbols) + kept.bytes();
  }
  /// Throws InputError where so many bytes are more than a limit; 0 is without limit.
  void check_memory(size_t bytes, size_t limit) const;
};

}  // namespace tunesmith::decode::chart
