#include "tunesmith/decode/phrase_orientations.h"

#include <algorithm>
#include <set>

#include "check.h"
#include "tunesmith/base/splitmix.h"

namespace tunesmith::decode::phrase_orientations_test {

using forest::SourceSpan;

/// Phrases of one to three columns in a random order, or in one that is nearly monotone.
std::vector<SourceSpan> random_phrases(SplitMix& random) {
  std::vector<SourceSpan> spans;
  int32_t at = 0;
  for (auto left = 1 + random.below(9); left > 0; --left) {
    const int32_t end = at + 1 + static_cast<int32_t>(random.below(3));
    spans.push_back({at, end});
    at = end;
  }
  const bool is_near = random.below(2) == 0;
  for (size_t i = spans.size(); i-- > 1;)
    std::swap(spans[i], spans[is_near ? i - random.below(2) : random.below(i + 1)]);
  return spans;
}

/// The longest run of phrases before `end` whose columns are contiguous, if every suffix that is contiguous
/// may grow: the block on top of a shift-reduce stack is the largest one.
size_t block_begin(const std::vector<SourceSpan>& spans, size_t end) {
  size_t best = end - 1;
  std::set<int32_t> columns;
  for (size_t i = end; i-- > 0;) {
    for (int32_t column = spans[i].begin; column < spans[i].end; ++column) columns.insert(column);
    if (*columns.rbegin() - *columns.begin() + 1 == static_cast<int32_t>(columns.size())) best = i;
  }
  return best;
}

/// Whether merging neighbors, two at a time, leaves one block: not so for orders such as 2 4 1 3.
bool is_binarizable(const std::vector<SourceSpan>& spans, size_t begin, size_t end) {
  std::vector<SourceSpan> stack;
  for (size_t i = begin; i < end; ++i) {
    stack.push_back(spans[i]);
    while (stack.size() > 1) {
      const SourceSpan top = stack.back(), below = stack[stack.size() - 2];
      if (top.begin != below.end && top.end != below.begin) break;
      stack.pop_back();
      stack.back() = {std::min(top.begin, below.begin), std::max(top.end, below.end)};
    }
  }
  return stack.size() == 1;
}

TEST(the_block_on_top_has_the_columns_and_target_words_of_the_last_phrases) {
  SplitMix random(1, 0);
  PhraseOrientations reader;
  size_t merged = 0;
  for (int round = 0; round < 400; ++round) {
    const auto spans = random_phrases(random);
    std::vector<SourceSpan> targets;
    for (size_t i = 0; i < spans.size(); ++i) {
      const int32_t begin = targets.empty() ? 0 : targets.back().end;
      targets.push_back({begin, begin + static_cast<int32_t>(random.below(3))});  // some words are dropped
    }
    std::vector<PhraseOrientation> orientations;
    std::vector<TopBlock> blocks;
    if (round % 50 == 0) reader.clear();
    CHECK(reader.read(spans, targets, orientations, blocks));
    CHECK(orientations.size() == spans.size() && blocks.size() == spans.size());
    CHECK(blocks[0].source == (SourceSpan{0, 0}) && blocks[0].target == (SourceSpan{0, 0}));
    CHECK(orientations.back().hierarchical_forward == PhraseOrientation::kNoOrientation);
    for (size_t i = 1; i < spans.size(); ++i) {
      const size_t begin = block_begin(spans, i);
      if (!is_binarizable(spans, begin, i)) continue;
      merged += i - begin > 1;
      SourceSpan block = spans[begin];
      for (size_t j = begin; j < i; ++j)
        block = {std::min(block.begin, spans[j].begin), std::max(block.end, spans[j].end)};
      CHECK(blocks[i].source == block);
      CHECK(blocks[i].target == (SourceSpan{targets[begin].begin, targets[i].begin}));
      const bool is_monotone = spans[i].begin == block.end;
      CHECK(((orientations[i].hierarchical_backward & 3) == 0) == is_monotone);
      CHECK(((orientations[i].hierarchical_backward & 4) != 0) == (is_monotone && begin == 0));
    }
  }
  CHECK(merged > 100);
}

TEST(spans_that_are_unknown_empty_or_overlap_have_no_orientations) {
  PhraseOrientations reader;
  const std::vector<std::vector<SourceSpan>> lists{
      {{0, 1}, {-1, -1}}, {{0, 1}, {1, 1}}, {{0, 3}, {70, 80}, {2, 4}}};
  for (const auto& spans : lists) {
    std::vector<PhraseOrientation> orientations;
    std::vector<TopBlock> blocks;
    CHECK(!reader.read(spans, spans, orientations, blocks));
    CHECK(orientations.size() == spans.size() && blocks.size() == spans.size());
    for (const PhraseOrientation& each : orientations)
      CHECK(each.hierarchical_backward == PhraseOrientation::kNoOrientation);
    for (const TopBlock& block : blocks) CHECK(block.source == (SourceSpan{-1, -1}));
  }
}

}  // namespace tunesmith::decode::phrase_orientations_test
