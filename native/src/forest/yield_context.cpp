#include "tunesmith/forest/yield_context.h"

#include <algorithm>

namespace tunesmith::forest {

ContextNeeds context_needs(const Forest& forest) {
  const std::vector<uint8_t> none(forest.node_count(), 0);
  ContextNeeds needs{none, none, none};
  if (forest.empty()) return needs;
  needs.used[forest.root()] = 1;
  for (uint32_t node = forest.root() + 1; node-- > 0;) {
    if (!needs.used[node]) continue;
    for (uint32_t edge = forest.first_edge(node); edge < forest.last_edge(node); ++edge) {
      const auto target = forest.target(edge);
      const auto tails = forest.tails(edge);
      for (size_t i = 0; i < target.size(); ++i) {
        if (!grammar::is_gap(target[i])) continue;
        const uint32_t tail = tails[grammar::gap_index(target[i])];
        needs.used[tail] = 1;
        needs.left[tail] |= i > 0 ? 1 : needs.left[node];
        needs.right[tail] |= i + 1 < target.size() ? 1 : needs.right[node];
      }
    }
  }
  return needs;
}

void YieldSequence::shorten(size_t size, bool left, bool right, std::vector<int32_t>& context) const {
  const auto first_break = std::find(words_.begin(), words_.end(), kBreak);
  const bool whole = first_break == words_.end() && words_.size() < size;
  context.clear();
  if (whole && left && right) {
    context = words_;
    return;
  }
  if (left) {
    const auto length = std::min<size_t>(size, static_cast<size_t>(first_break - words_.begin()));
    context.assign(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(length));
  }
  context.push_back(kBreak);
  if (right) {
    const auto last_break = std::find(words_.rbegin(), words_.rend(), kBreak);
    const auto length = std::min<size_t>(size, static_cast<size_t>(last_break - words_.rbegin()));
    context.insert(context.end(), words_.end() - static_cast<std::ptrdiff_t>(length), words_.end());
  }
}

}  // namespace tunesmith::forest
