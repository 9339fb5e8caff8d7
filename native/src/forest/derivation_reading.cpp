#include "tunesmith/forest/derivation_reading.h"

#include <algorithm>

#include "tunesmith/forest/yield_walk.h"

namespace tunesmith::forest {

namespace {

bool told(SourceSpan span) { return span.begin >= 0 && span.end >= span.begin; }

bool within(SourceSpan inner, SourceSpan outer) {
  return inner.begin >= outer.begin && inner.end <= outer.end;
}

/// Reads one derivation; the words and their positions are known once the walk is over.
class Reader {
 public:
  Reader(const Forest& forest, std::span<const uint32_t> edges)
      : forest_(forest), tree_(forest, edges), targets_(tree_.size()), symbols_(tree_.size()) {
    walk_yield(
        forest, tree_,
        [this](size_t place) {
          targets_[place].begin = here();
          symbols_[place] = positions_.size();
          positions_.resize(positions_.size() + forest_.target(tree_.edge(place)).size());
        },
        [this](size_t place, size_t position) {
          positions_[symbols_[place] + position] = here();
          const grammar::Symbol symbol = forest_.target(tree_.edge(place))[position];
          if (!grammar::is_gap(symbol)) reading_.words.push_back(symbol);
        },
        [this](size_t place) { targets_[place].end = here(); });
  }

  DerivationReading read() && {
    for (size_t place = 0; place < tree_.size(); ++place) {
      add_segment(place);
      add_links(place);
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
  SourceSpan span(size_t place) const { return forest_.span(tree_.edge(place)); }

  bool adds_phrase(size_t place) const {
    const auto target = forest_.target(tree_.edge(place));
    if (forest_.tails(tree_.edge(place)).size() != 1 || target[0] != grammar::gap_symbol(0)) return false;
    const SourceSpan below = span(tree_.tail(place, 0));
    return !told(below) || below.begin == below.end || !within(below, span(place));
  }

  void add_segment(size_t place) {
    if (!told(span(place))) return;
    SourceSpan target = targets_[place];
    if (adds_phrase(place)) target.begin = targets_[tree_.tail(place, 0)].end;
    if (span(place).begin < span(place).end || target.begin < target.end)
      reading_.segments.push_back({span(place), target});
  }

  /// The sentence position of each symbol of the source side, -1 for gaps and where it cannot be told.
  void locate_sources(size_t place) {
    const auto source = forest_.rules().sources[forest_.rule(tree_.edge(place))];
    const bool phrase = adds_phrase(place);
    sources_.clear();
    int64_t position = span(place).begin;
    for (const grammar::Symbol symbol : source) {
      sources_.push_back(grammar::is_gap(symbol) ? -1 : position);
      if (position < 0) continue;
      if (!grammar::is_gap(symbol)) {
        ++position;
      } else if (!phrase) {
        const SourceSpan below = span(tree_.tail(place, grammar::gap_index(symbol)));
        position = told(below) ? position + (int64_t{below.end} - below.begin) : -1;
      }
    }
  }

  void add_links(size_t place) {
    const uint32_t edge = tree_.edge(place);
    const auto links = forest_.rules().links[forest_.rule(edge)];
    if (links.empty() || !told(span(place))) return;
    const auto target = forest_.target(edge);
    const bool bare = forest_.rules().sources[forest_.rule(edge)].empty();
    if (bare && !forest_.tails(edge).empty() && !adds_phrase(place)) return;
    locate_sources(place);
    for (const corpus::Link& link : links) {
      const int64_t source =
          bare ? int64_t{span(place).begin} + link.source : sources_[static_cast<size_t>(link.source)];
      const auto position = static_cast<size_t>(link.target);
      if (source >= 0 && source <= INT32_MAX && !grammar::is_gap(target[position]))
        reading_.links.push_back({static_cast<int32_t>(source), positions_[symbols_[place] + position]});
    }
  }

  const Forest& forest_;
  DerivationTree tree_;
  std::vector<SourceSpan> targets_;  // by place: the target words of all below
  std::vector<size_t> symbols_;      // by place: where its symbols are in positions_
  std::vector<int32_t> positions_;   // where each symbol of each target side came in the yield
  std::vector<int64_t> sources_;     // wider than spans: a file may tell any
  DerivationReading reading_;
};

}  // namespace

DerivationReading read_derivation(const Forest& forest, std::span<const uint32_t> edges) {
  return Reader(forest, edges).read();
}

}  // namespace tunesmith::forest
