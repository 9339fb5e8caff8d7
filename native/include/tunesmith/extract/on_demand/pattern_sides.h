// The source sides of a pattern: its chunks with gaps before, between and after them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "tunesmith/extract/on_demand/pattern_index.h"
#include "tunesmith/extract/rules/extraction.h"

namespace tunesmith::extract::on_demand {

/// Number of gaps before each chunk, and after the last: [1, 1, 0] with the chunks `a` and `b` is X a X b.
using GapCounts = std::array<uint8_t, kMaxChunks + 1>;

/// Positions in the sentence where the chunks begin.
using ChunkPositions = std::array<int32_t, kMaxChunks + 1>;

/// All source sides of a pattern within the limits, in a deterministic order. At most 32.
std::vector<GapCounts> sides_of(const Pattern& pattern, const rules::RuleLimits& limits);

/// The symbols of a source side, with gaps numbered from left to right.
std::vector<grammar::Symbol> side_symbols(const Pattern& pattern, const GapCounts& gaps);

/// Enumerates the spans of a source side around an occurrence of its words.
class SidePlacer {
 public:
  SidePlacer(const Pattern& pattern, const rules::RuleLimits& limits) : pattern_(pattern), limits_(limits) {}

  /// Calls body(Span source, std::span<const Span> gaps) for each choice of spans that the limits and the
  /// alignment allow. Positions and `bits` are relative to the sentence.
  template <class Body>
  void place(const GapCounts& gaps, const ChunkPositions& words, std::span<const rules::SpanBits> bits,
             Body body) {
    const auto length = static_cast<int32_t>(bits.size());
    const auto last = static_cast<size_t>(std::min(pattern_.chunks, kMaxChunks));
    const int32_t first_word = words[0];
    const int32_t after = words[last - 1] + pattern_.lengths[last - 1];
    const int32_t least_left = gaps[0] * limits_.min_hole, least_right = gaps[last] * limits_.min_hole;
    const int32_t leftmost = gaps[0] == 0 ? first_word : std::max(0, after + least_right - limits_.max_span);
    for (int32_t begin = first_word - least_left; begin >= leftmost; --begin) {
      const int32_t rightmost = gaps[last] == 0 ? after : std::min(length, begin + limits_.max_span);
      for (int32_t end = after + least_right; end <= rightmost; ++end) {
        if (end - begin > limits_.max_span || !allowed({begin, end}, bits)) continue;
        fill(0, 0, gaps, words, {begin, end}, bits, body);
      }
    }
  }

 private:
  bool allowed(rules::Span span, std::span<const rules::SpanBits> bits) const {
    return rules::may_be_phrase(bits.data() + span.begin, span.size(), limits_.tight);
  }

  /// Chooses the spans of the gaps from the one before chunk `slot` on; `count` gaps are chosen already.
  template <class Body>
  void fill(size_t slot, size_t count, const GapCounts& gaps, const ChunkPositions& words, rules::Span source,
            std::span<const rules::SpanBits> bits, Body& body) {
    const auto last = static_cast<size_t>(std::min(pattern_.chunks, kMaxChunks));
    if (slot > last || slot >= gaps.size())
      return body(source, std::span<const rules::Span>(chosen_.data(), count));
    const int32_t begin = slot == 0 ? source.begin : words[slot - 1] + pattern_.lengths[slot - 1];
    const int32_t end = slot == last ? source.end : words[slot];
    if (gaps[slot] == 0) return fill(slot + 1, count, gaps, words, source, bits, body);
    if (gaps[slot] == 1) {
      chosen_[count] = {begin, end};
      if (allowed(chosen_[count], bits)) fill(slot + 1, count + 1, gaps, words, source, bits, body);
      return;
    }
    for (int32_t border = begin + limits_.min_hole; border + limits_.min_hole <= end; ++border) {
      chosen_[count] = {begin, border};
      chosen_[count + 1] = {border, end};
      if (allowed(chosen_[count], bits) && allowed(chosen_[count + 1], bits))
        fill(slot + 1, count + 2, gaps, words, source, bits, body);
    }
  }

  const Pattern& pattern_;
  const rules::RuleLimits& limits_;
  std::array<rules::Span, grammar::kMaxGaps> chosen_;
};

}  // namespace tunesmith::extract::on_demand
