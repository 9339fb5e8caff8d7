#include "tunesmith/forest/derivation_reading.h"

#include <algorithm>

#include "tunesmith/forest/yield_walk.h"

namespace tunesmith::forest {

namespace {

bool is_known(SourceSpan span) { return span.begin >= 0 && span.end >= span.begin; }

bool within(SourceSpan inner, SourceSpan outer) {
  return inner.begin >= outer.begin && inner.end <= outer.end;
}

/// Reads one derivation; edges go by their number in it. Words and positions are complete after the walk.
class Reader {
 public:
  Reader(const Forest& forest, std::span<const uint32_t> edges)
      : forest_(forest), tree_(forest, edges), targets_(tree_.size()), symbols_(tree_.size()) {
    walk_yield(
        forest, tree_,
        [this](size_t number) {
          targets_[number].begin = here();
          symbols_[number] = positions_.size();
          positions_.resize(positions_.size() + forest_.target(tree_.edge(number)).size());
        },
        [this](size_t number, size_t position) {
          positions_[symbols_[number] + position] = here();
          const grammar::Symbol symbol = forest_.target(tree_.edge(number))[position];
          if (!grammar::is_gap(symbol)) reading_.words.push_back(symbol);
        },
        [this](size_t number) { targets_[number].end = here(); });
  }

  DerivationReading read() && {
    for (size_t number = 0; number < tree_.size(); ++number) {
      add_segment(number);
      add_links(number);
    }
    const auto before = [](const DerivationSegment& a, const DerivationSegment& b) {
      return a.target.begin != b.target.begin ? a.target.begin < b.target.begin : a.target.end > b.target.end;
    };
    std::stable_sort(reading_.segments.begin(), reading_.segments.end(), before);
    std::sort(reading_.links.begin(), reading_.links.end());
    reading_.links.erase(std::unique(reading_.links.begin(), reading_.links.end()), reading_.links.end());
    return std::move(reading_);
  }

 private:
  int32_t here() const { return static_cast<int32_t>(reading_.words.size()); }
  SourceSpan span(size_t number) const { return forest_.span(tree_.edge(number)); }

  bool adds_phrase(size_t number) const {
    const auto target = forest_.target(tree_.edge(number));
    if (forest_.tails(tree_.edge(number)).size() != 1 || target[0] != grammar::gap_symbol(0)) return false;
    const SourceSpan below = span(tree_.tail(number, 0));
    return !is_known(below) || below.begin == below.end || !within(below, span(number));
  }

  void add_segment(size_t number) {
    if (!is_known(span(number))) return;
    SourceSpan target = targets_[number];
    if (adds_phrase(number)) target.begin = targets_[tree_.tail(number, 0)].end;
    if (span(number).begin < span(number).end || target.begin < target.end)
      reading_.segments.push_back({span(number), target});
  }

  /// Sentence position of each symbol of the source side; -1 for gaps and if unknown.
  void locate_sources(size_t number) {
    const auto source = forest_.rules().sources[forest_.rule(tree_.edge(number))];
    const bool phrase = adds_phrase(number);
    sources_.clear();
    int64_t position = span(number).begin;
    for (const grammar::Symbol symbol : source) {
      sources_.push_back(grammar::is_gap(symbol) ? -1 : position);
      if (position < 0) continue;
      if (!grammar::is_gap(symbol)) {
        ++position;
      } else if (!phrase) {
        const SourceSpan below = span(tree_.tail(number, grammar::gap_index(symbol)));
        position = is_known(below) ? position + (int64_t{below.end} - below.begin) : -1;
      }
    }
  }

  void add_links(size_t number) {
    const uint32_t edge = tree_.edge(number);
    const auto links = forest_.rules().links[forest_.rule(edge)];
    if (links.empty() || !is_known(span(number))) return;
    const auto target = forest_.target(edge);
    const bool bare = forest_.rules().sources[forest_.rule(edge)].empty();
    if (bare && !forest_.tails(edge).empty() && !adds_phrase(number)) return;
    locate_sources(number);
    for (const corpus::Link& link : links) {
      const int64_t source =
          bare ? int64_t{span(number).begin} + link.source : sources_[static_cast<size_t>(link.source)];
      const auto position = static_cast<size_t>(link.target);
      if (source >= 0 && source <= INT32_MAX && !grammar::is_gap(target[position]))
        reading_.links.push_back({static_cast<int32_t>(source), positions_[symbols_[number] + position]});
    }
  }

  const Forest& forest_;
  DerivationTree tree_;
  std::vector<SourceSpan> targets_;  // by number: target span, tails included
  std::vector<size_t> symbols_;      // by number: index of its first symbol in positions_
  std::vector<int32_t> positions_;   // of each symbol of each target side, in the yield
  std::vector<int64_t> sources_;     // wider than spans, as files may have any numbers
  DerivationReading reading_;
};

}  // namespace

DerivationReading read_derivation(const Forest& forest, std::span<const uint32_t> edges) {
  return Reader(forest, edges).read();
}

}  // namespace tunesmith::forest
