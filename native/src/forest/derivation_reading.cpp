#include "tunesmith/forest/derivation_reading.h"

#include <algorithm>

#include "tunesmith/forest/yield_walk.h"

namespace tunesmith::forest {

namespace {

bool within(SourceSpan inner, SourceSpan outer) {
  return inner.begin >= outer.begin && inner.end <= outer.end;
}

}  // namespace

void DerivationReader::read(std::span<const uint32_t> edges) {
  tree_.read(forest_, edges);
  words_.clear();
  order_.clear();
  positions_.clear();
  targets_.resize(tree_.size());
  symbols_.resize(tree_.size());
  const auto here = [this] { return static_cast<int32_t>(words_.size()); };
  walk_yield(
      forest_, tree_,
      [&](size_t number) {
        order_.push_back(static_cast<uint32_t>(number));
        targets_[number].begin = here();
        symbols_[number] = positions_.size();
        positions_.resize(positions_.size() + forest_.target(tree_.edge(number)).size());
      },
      [&](size_t number, size_t position) {
        positions_[symbols_[number] + position] = here();
        const grammar::Symbol symbol = forest_.target(tree_.edge(number))[position];
        if (!grammar::is_gap(symbol)) words_.push_back(symbol);
      },
      [&](size_t number) { targets_[number].end = here(); });
}

bool DerivationReader::adds_phrase(size_t number) const {
  const auto target = forest_.target(tree_.edge(number));
  if (forest_.tails(tree_.edge(number)).size() != 1 || target[0] != grammar::gap_symbol(0)) return false;
  const SourceSpan below = source(tree_.tail(number, 0));
  return !is_known(below) || below.begin == below.end || !within(below, source(number));
}

std::span<const int64_t> DerivationReader::source_columns(size_t number) {
  const auto source_side = forest_.rules().sources[forest_.rule(tree_.edge(number))];
  const bool phrase = adds_phrase(number);
  columns_.clear();
  int64_t column = is_known(source(number)) ? source(number).begin : -1;
  for (const grammar::Symbol symbol : source_side) {
    columns_.push_back(grammar::is_gap(symbol) ? -1 : column);
    if (column < 0) continue;
    if (!grammar::is_gap(symbol)) {
      ++column;
    } else if (!phrase) {
      const SourceSpan below = source(tree_.tail(number, grammar::gap_index(symbol)));
      column = is_known(below) ? below.end : -1;
    }
  }
  return columns_;
}

DerivationReading read_derivation(const Forest& forest, std::span<const uint32_t> edges) {
  DerivationReader reader(forest);
  reader.read(edges);
  DerivationReading reading;
  reading.words.assign(reader.words().begin(), reader.words().end());
  for (size_t number = 0; number < edges.size(); ++number) {
    const DerivationSegment segment{reader.source(number), reader.added_target(number)};
    const bool is_empty =
        segment.source.begin == segment.source.end && segment.target.begin == segment.target.end;
    if (is_known(segment.source) && !is_empty) reading.segments.push_back(segment);
    reader.for_each_link(number, [&](corpus::Link link) { reading.links.push_back(link); });
  }
  const auto before = [](const DerivationSegment& a, const DerivationSegment& b) {
    return a.target.begin != b.target.begin ? a.target.begin < b.target.begin : a.target.end > b.target.end;
  };
  std::stable_sort(reading.segments.begin(), reading.segments.end(), before);
  std::sort(reading.links.begin(), reading.links.end());
  reading.links.erase(std::unique(reading.links.begin(), reading.links.end()), reading.links.end());
  return reading;
}

}  // namespace tunesmith::forest
