#include "tunesmith/extract/on_demand/sentence_patterns.h"

#include <algorithm>

namespace tunesmith::extract::on_demand {

SentencePatterns::SentencePatterns(const IndexSide& side, const rules::RuleLimits& limits,
                                   std::span<const int32_t> words)
    : limits_(limits), words_(words), longest_(words.size(), 0) {
  const int32_t most = std::min(limits.max_symbols, limits.max_span);
  for (size_t begin = 0; begin < words.size(); ++begin) {
    auto interval = side.array.find(words[begin]);
    int32_t length = 0;
    while (!interval.empty() && ++length < most && begin + static_cast<size_t>(length) < words.size())
      interval = side.array.narrow(interval, length, words[begin + static_cast<size_t>(length)]);
    longest_[begin] = length;
  }
}

PatternRound SentencePatterns::of_chunks(int chunks) {
  PatternRound round;
  numbers_.clear();
  PlacedPattern placed;
  placed.pattern.chunks = 0;
  for (size_t begin = 0; begin < words_.size(); ++begin) {
    placed.begin[0] = static_cast<int32_t>(begin);
    extend(placed, chunks, round);
  }
  return round;
}

/// Adds the chunk that begins at placed.begin[pattern.chunks], in all lengths, and recursively the next ones.
void SentencePatterns::extend(PlacedPattern& placed, int chunks, PatternRound& round) {
  Pattern& pattern = placed.pattern;
  const auto chunk = static_cast<size_t>(pattern.chunks);
  const int32_t begin = placed.begin[chunk];
  const auto size = static_cast<int32_t>(words_.size());
  const size_t words_before = pattern.words.size();
  ++pattern.chunks;
  for (int32_t length = 1; length <= longest_chunk(begin); ++length) {
    const int32_t end = begin + length;
    pattern.words.push_back(words_[static_cast<size_t>(end - 1)]);
    pattern.lengths[chunk] = static_cast<uint8_t>(length);
    const int symbols = static_cast<int>(pattern.words.size()) + pattern.chunks - 1;
    if (symbols > limits_.max_symbols || end - placed.begin[0] > limits_.max_span) break;
    if (!last_pair_may_occur(placed, chunks)) continue;
    if (pattern.chunks == chunks) {
      add(placed, round);
      continue;
    }
    const int32_t last = std::min(size, placed.begin[0] + limits_.max_span);
    for (int32_t next = end + 1; next < last; ++next) {
      placed.begin[chunk + 1] = next;
      extend(placed, chunks, round);
    }
  }
  --pattern.chunks;
  pattern.lengths[chunk] = 0;
  pattern.words.resize(words_before);
}

bool SentencePatterns::last_pair_may_occur(const PlacedPattern& placed, int chunks) const {
  const Pattern& pattern = placed.pattern;
  if (chunks < kMaxChunks || pattern.chunks < 2) return true;
  Pattern pair;
  pair.chunks = 2;
  const auto last = static_cast<size_t>(pattern.chunks) - 1;
  pair.lengths = {pattern.lengths[last - 1], pattern.lengths[last], 0};
  const std::ptrdiff_t words = pair.lengths[0] + pair.lengths[1];
  pair.words.assign(pattern.words.end() - words, pattern.words.end());
  return pairs_.contains(pair);
}

void SentencePatterns::add(const PlacedPattern& placed, PatternRound& round) {
  const Pattern& pattern = placed.pattern;
  const auto last = static_cast<size_t>(pattern.chunks);
  const auto sides = sides_of(pattern, limits_);
  const int32_t begin = placed.begin[0], end = placed.begin[last - 1] + pattern.lengths[last - 1];
  uint32_t room = 0;
  for (size_t s = 0; s < sides.size(); ++s) {
    const GapCounts& gaps = sides[s];
    bool fits = gaps[0] <= begin && end + gaps[last] <= static_cast<int32_t>(words_.size()) &&
                end - begin + gaps[0] + gaps[last] <= limits_.max_span;
    for (size_t c = 1; c < last; ++c)
      fits = fits && gaps[c] <= placed.begin[c] - placed.begin[c - 1] - pattern.lengths[c - 1];
    if (fits) room |= uint32_t{1} << s;
  }
  if (room == 0) return;
  const auto [number, is_new] = numbers_.try_emplace(pattern, round.patterns.size());
  if (is_new) {
    round.patterns.push_back(pattern);
    round.sides.push_back(0);
  }
  round.sides[number->second] |= room;
}

}  // namespace tunesmith::extract::on_demand
