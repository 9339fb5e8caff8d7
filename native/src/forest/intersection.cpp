#include "tunesmith/forest/intersection.h"

#include <algorithm>
#include <numeric>

#include "tunesmith/base/name_table.h"
#include "tunesmith/base/sequence_pool.h"
#include "tunesmith/forest/yield_context.h"

namespace tunesmith::forest {

namespace {

/// The target as an automaton: states are positions, words lead from one to the next.
class TargetPositions {
 public:
  TargetPositions(const Forest& forest, const std::vector<std::string_view>& target, bool prefix)
      : prefix_(prefix) {
    NameTable names;
    for (const std::string_view word : target) target_.push_back(names.intern(word));
    starts_.resize(names.size());
    for (uint32_t i = 0; i < target_.size(); ++i) starts_[static_cast<size_t>(target_[i])].push_back(i);
    for (auto& starts : starts_)
      if (prefix) starts.push_back(end());
    if (prefix) free_.push_back(end());
    constexpr int32_t kNotYet = -2;
    numbers_.assign(forest.names().words.size(), kNotYet);
    for (const grammar::Symbol symbol : forest.rules().targets.values)
      if (!grammar::is_gap(symbol) && numbers_[static_cast<size_t>(symbol)] == kNotYet)
        numbers_[static_cast<size_t>(symbol)] = names.find(forest.names().words[static_cast<size_t>(symbol)]);
  }

  uint32_t end() const { return static_cast<uint32_t>(target_.size()); }
  /// Positions at which a word can begin.
  const std::vector<uint32_t>& starts(grammar::Symbol word) const {
    const int32_t number = numbers_[static_cast<size_t>(word)];
    return number < 0 ? free_ : starts_[static_cast<size_t>(number)];
  }
  /// Moves a position past a word; false if the word is not there.
  bool step(grammar::Symbol word, uint32_t& position) const {
    if (position == end()) return prefix_;
    return target_[position++] == numbers_[static_cast<size_t>(word)];
  }

 private:
  bool prefix_;
  std::vector<int32_t> target_, numbers_;
  std::vector<std::vector<uint32_t>> starts_;
  std::vector<uint32_t> free_;
};

class TargetIntersection {
 public:
  TargetIntersection(const Forest& forest, const std::vector<std::string_view>& target, bool prefix,
                     const RefinementLimits& limits)
      : forest_(forest),
        positions_(forest, target, prefix),
        needs_(context_needs(forest)),
        refiner_(forest, limits) {}

  ForestRefinement run() {
    for (node_ = 0; node_ < forest_.node_count(); ++node_) {
      if (needs_.used[node_])
        for (uint32_t edge = forest_.first_edge(node_); edge < forest_.last_edge(node_); ++edge) fit(edge);
      refiner_.close();
      sort_by_begin();
    }
    if (forest_.empty() || refiner_.first(forest_.root()) == refiner_.first(forest_.root() + 1))
      return refiner_.none();
    return refiner_.below(refiner_.first(forest_.root()));
  }

 private:
  /// Matches an edge at every position where it may begin.
  void fit(uint32_t edge) {
    const auto target = forest_.target(edge);
    chosen_.assign(forest_.tails(edge).size(), 0);
    if (!needs_.left[node_]) {
      fit(edge, 0);
    } else if (target.empty()) {
      for (uint32_t begin = 0; begin <= positions_.end(); ++begin) fit(edge, begin);
    } else if (!grammar::is_gap(target[0])) {
      for (const uint32_t begin : positions_.starts(target[0])) fit(edge, begin);
    } else {
      const uint32_t first_tail = tail(edge, target[0]);
      const uint32_t last = refiner_.first(first_tail + 1);
      for (uint32_t i = refiner_.first(first_tail); i < last; ++i)
        if (i == refiner_.first(first_tail) || begin_of(sorted_[i]) != begin_of(sorted_[i - 1]))
          fit(edge, begin_of(sorted_[i]));
    }
  }

  /// All matches of the edge that begin at a position: depth first over its gaps, by an explicit stack.
  void fit(uint32_t edge, uint32_t begin) {
    struct Frame {
      size_t symbol;
      uint32_t option, last;  // in `sorted_`: the split nodes still to be tried
    };
    const auto target = forest_.target(edge);
    std::vector<Frame> stack;
    // Follows words up to the next gap, or to the end of the edge.
    const auto advance = [&](size_t symbol, uint32_t position) {
      for (; symbol < target.size() && !grammar::is_gap(target[symbol]); ++symbol)
        if (!positions_.step(target[symbol], position)) return;
      if (symbol == target.size()) {
        add(edge, begin, position);
        return;
      }
      const auto [first, last] = splits_from(tail(edge, target[symbol]), position);
      stack.push_back({symbol, first, last});
    };
    advance(0, begin);
    while (!stack.empty()) {
      Frame& frame = stack.back();
      if (frame.option == frame.last) {
        stack.pop_back();
        continue;
      }
      const uint32_t split = sorted_[frame.option++];
      const size_t symbol = frame.symbol;
      chosen_[grammar::gap_index(target[symbol])] = split;
      advance(symbol + 1, end_of(split));
    }
  }

  /// The split nodes of a node that begin at a position, as a range of `sorted_`.
  std::pair<uint32_t, uint32_t> splits_from(uint32_t node, uint32_t position) const {
    const auto first = sorted_.begin() + refiner_.first(node),
               last = sorted_.begin() + refiner_.first(node + 1);
    const auto begin = std::partition_point(first, last, [&](uint32_t s) { return begin_of(s) < position; });
    const auto end = std::partition_point(begin, last, [&](uint32_t s) { return begin_of(s) == position; });
    return {static_cast<uint32_t>(begin - sorted_.begin()), static_cast<uint32_t>(end - sorted_.begin())};
  }

  /// Sorts the split nodes of the current node by where they begin.
  void sort_by_begin() {
    const size_t first = sorted_.size();
    sorted_.resize(refiner_.first(node_ + 1));
    std::iota(sorted_.begin() + static_cast<std::ptrdiff_t>(first), sorted_.end(),
              static_cast<uint32_t>(first));
    std::stable_sort(sorted_.begin() + static_cast<std::ptrdiff_t>(first), sorted_.end(),
                     [&](uint32_t a, uint32_t b) { return begin_of(a) < begin_of(b); });
  }

  void add(uint32_t edge, uint32_t begin, uint32_t end) {
    if (!needs_.right[node_] && end != positions_.end()) return;
    const uint32_t span[] = {begin, end};
    refiner_.add(edge, spans_.intern(span), chosen_);
  }

  uint32_t tail(uint32_t edge, grammar::Symbol symbol) const {
    return forest_.tails(edge)[grammar::gap_index(symbol)];
  }
  uint32_t begin_of(uint32_t split) const { return spans_[refiner_.state(split)][0]; }
  uint32_t end_of(uint32_t split) const { return spans_[refiner_.state(split)][1]; }

  const Forest& forest_;
  TargetPositions positions_;
  ContextNeeds needs_;
  ForestRefiner refiner_;
  SequencePool<uint32_t> spans_;
  uint32_t node_ = 0;
  std::vector<uint32_t> sorted_;  // split nodes by node, then by where they begin
  std::vector<uint32_t> chosen_;  // split nodes of the tails of the current edge
};

}  // namespace

ForestRefinement intersect_target(const Forest& forest, const std::vector<std::string_view>& target,
                                  bool prefix, const RefinementLimits& limits) {
  return TargetIntersection(forest, target, prefix, limits).run();
}

}  // namespace tunesmith::forest
