#include "tunesmith/extract/on_demand/pattern_sides.h"

#include <algorithm>

namespace tunesmith::extract::on_demand {

std::vector<GapCounts> sides_of(const Pattern& pattern, const rules::RuleLimits& limits) {
  const int most = limits.adjacent_gaps ? grammar::kMaxGaps : 1;
  const auto last = static_cast<size_t>(std::min(pattern.chunks, kMaxChunks));
  std::vector<GapCounts> sides;
  const auto fill = [&](const auto& self, size_t slot, int total, GapCounts gaps) -> void {
    if (total > limits.max_gaps || static_cast<int>(pattern.words.size()) + total > limits.max_symbols)
      return;
    if (slot > last || slot >= gaps.size()) {
      sides.push_back(gaps);
      return;
    }
    const bool inside = slot > 0 && slot < last;
    for (int count = inside ? 1 : 0; count <= most; ++count) {
      gaps[slot] = static_cast<uint8_t>(count);
      self(self, slot + 1, total + count, gaps);
    }
  };
  fill(fill, 0, 0, {});
  return sides;
}

std::vector<grammar::Symbol> side_symbols(const Pattern& pattern, const GapCounts& gaps) {
  std::vector<grammar::Symbol> symbols;
  grammar::Symbol gap = 0;
  size_t word = 0;
  for (size_t slot = 0; slot <= static_cast<size_t>(pattern.chunks); ++slot) {
    for (int count = 0; count < gaps[slot]; ++count) symbols.push_back(--gap);
    if (slot == static_cast<size_t>(pattern.chunks)) break;
    for (int count = 0; count < pattern.lengths[slot]; ++count) symbols.push_back(pattern.words[word++]);
  }
  return symbols;
}

}  // namespace tunesmith::extract::on_demand
