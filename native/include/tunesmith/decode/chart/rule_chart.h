// The chart of a sentence: its cells, and the rules that match there with the cells that fill their gaps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "tunesmith/base/held_bytes.h"
#include "tunesmith/decode/feature.h"

namespace tunesmith::decode::chart {

/// A matched symbol of a source side: a word on an arc of the input, or a gap filled by a cell.
struct PlacedSymbol {
  uint32_t before;  // the symbol to the left; kNoNumber at the left end
  uint32_t column;  // where it begins
  uint32_t arc;     // among the arcs that leave the column; unused for a gap
  uint32_t cell;    // kNoNumber for a word
};

/// The rules of one source side, matched once.
struct RuleUse {
  std::span<const Option> options;  // by sort_score, best first
  uint32_t first_tail = 0;          // of the cells that fill its gaps, by gap
  uint32_t arity = 0;
  uint32_t last_symbol = kNoNumber;  // of the source side
  float input_score = 0;             // of the arcs, weighted
};

/// A range of the input as one category.
struct ChartCell {
  Range range;
  uint32_t category = 0;
  uint32_t first = 0, last = 0;  // of the uses
  bool is_needed = false;        // whether a derivation of the goal uses it
};

/// The input columns of a chart range: charts have one more column at each end, for the sentence markers.
inline Range unmarked(Range range, uint32_t columns) {
  const auto column = [&](uint32_t at) { return std::min(at > 0 ? at - 1 : 0, columns); };
  return {column(range.begin), column(range.end)};
}

/// Keeps alive the lists that the options of a sentence view; `own_bytes` counts those that no cache shares.
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

/// Cells are in topological order, tails first; the last one is the goal. No cells: no derivation.
struct RuleChart {
  std::vector<ChartCell> cells;
  std::vector<RuleUse> uses;
  std::vector<uint32_t> tails;
  std::vector<PlacedSymbol> symbols;
  KeptRules kept;
  std::vector<std::unique_ptr<std::vector<Option>>> allowed;  // filtered lists of options
  DecoderInput input;

  std::span<const uint32_t> tails_of(const RuleUse& use) const {
    return {tails.data() + use.first_tail, use.arity};
  }
  /// Sets the columns of each gap of a use, without sentence markers.
  void gap_ranges(const RuleUse& use, std::vector<Range>& gaps) const {
    gaps.clear();
    for (const uint32_t tail : tails_of(use)) gaps.push_back(unmarked(cells[tail].range, input.columns));
  }
  size_t bytes() const {
    return held_bytes(cells) + held_bytes(uses) + held_bytes(tails) + held_bytes(symbols) + kept.bytes();
  }
  /// Throws InputError if `bytes` exceeds the limit; 0: no limit.
  void check_memory(size_t bytes, size_t limit) const;
};

}  // namespace tunesmith::decode::chart
