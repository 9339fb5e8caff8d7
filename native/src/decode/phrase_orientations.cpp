#include "tunesmith/decode/phrase_orientations.h"

#include <algorithm>

namespace tunesmith::decode {

namespace {

uint8_t code(tables::Orientation orientation) { return static_cast<uint8_t>(orientation); }

Range range_of(forest::SourceSpan span) {
  return {static_cast<uint32_t>(span.begin), static_cast<uint32_t>(span.end)};
}

forest::SourceSpan span_of(Range range) {
  return {static_cast<int32_t>(range.begin), static_cast<int32_t>(range.end)};
}

}  // namespace

void PhraseOrientations::clear() {
  stacks_.clear();
  coverages_.clear();
}

/// The blocks that a phrase is merged with are on top of the stack, and their target words before its own.
void PhraseOrientations::push(Range range, int32_t target_begin) {
  const uint32_t stack = stacks_.push(open_.empty() ? BlockStacks::kEmpty : open_.back().stack, range);
  const uint32_t below = stacks_.below(stack);
  while (!open_.empty() && open_.back().stack != below) {
    target_begin = open_.back().target_begin;
    open_.pop_back();
  }
  open_.push_back({stack, target_begin});
}

bool PhraseOrientations::read(std::span<const forest::SourceSpan> sources,
                              std::span<const forest::SourceSpan> targets,
                              std::vector<PhraseOrientation>& orientations, std::vector<TopBlock>& blocks) {
  const size_t first = orientations.size();
  orientations.resize(first + sources.size());
  blocks.resize(first + sources.size());
  coverage_.assign(1, 0);
  uint32_t columns = 0;
  for (const forest::SourceSpan span : sources) {
    if (span.begin < 0 || span.end <= span.begin) return false;
    const Range range = range_of(span);
    if (coverages_[coverage_.back()].overlaps(range)) return false;
    coverage_.push_back(coverages_.add(coverage_.back(), range));
    columns = std::max(columns, range.end);
  }
  open_.clear();
  Range before;
  for (size_t i = 0; i < sources.size(); ++i) {
    const Range range = range_of(sources[i]);
    const uint32_t stack = open_.empty() ? BlockStacks::kEmpty : open_.back().stack;
    PhraseOrientation& found = orientations[first + i];
    found.hierarchical_backward = code(stacks_.orientation(stack, range));
    found.phrase_backward = code(orientation_beside(before, range));
    if (i > 0) {
      const Coverage coverage = coverages_[coverage_[i]];
      tables::Orientation forward = forward_orientation(before, range, coverage);
      if (rest_follows(before, coverage, columns)) forward = tables::with_global(forward);
      orientations[first + i - 1].hierarchical_forward = code(forward);
      orientations[first + i - 1].phrase_forward = found.phrase_backward;
    }
    const int32_t target = targets[i].begin;
    blocks[first + i] = {span_of(stacks_.top(stack)),
                         {open_.empty() ? target : open_.back().target_begin, target}};
    push(range, target);
    before = range;
  }
  return true;
}

}  // namespace tunesmith::decode
