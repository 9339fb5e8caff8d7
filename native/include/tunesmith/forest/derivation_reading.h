// Words, word alignment and segmentation of a derivation.
#pragma once

#include <span>
#include <vector>

#include "tunesmith/forest/derivation.h"

namespace tunesmith::forest {

inline bool is_known(SourceSpan span) { return span.begin >= 0 && span.end >= span.begin; }

/// Reads words, spans and alignment off derivations of a forest, one after the other, into memory that it
/// keeps. Edges go by their number in the derivation.
///
/// An edge *adds a phrase*, as in phrase lattices, if it has one tail, whose gap is first in its target, and
/// the tail's source span is not within its own. O(words + edges + links) per derivation.
class DerivationReader {
 public:
  explicit DerivationReader(const Forest& forest) : forest_(forest) {}

  /// `edges` are in preorder, and must outlive the reading. Throws InputError if they are not a derivation.
  void read(std::span<const uint32_t> edges);

  const Forest& forest() const { return forest_; }
  const DerivationTree& tree() const { return tree_; }
  std::span<const grammar::Symbol> words() const { return words_; }
  /// The edges in target order, each before those that fill its gaps.
  std::span<const uint32_t> order() const { return order_; }
  SourceSpan source(size_t number) const { return forest_.span(tree_.edge(number)); }
  /// Target words of the edge and of everything below it.
  SourceSpan target(size_t number) const { return targets_[number]; }
  bool adds_phrase(size_t number) const;
  /// The same, without the tail if the edge adds a phrase.
  SourceSpan added_target(size_t number) const {
    SourceSpan target = targets_[number];
    if (adds_phrase(number)) target.begin = targets_[tree_.tail(number, 0)].end;
    return target;
  }

  /// Where the words of the source side are in the sentence: at the begin of the span or the end of the gap
  /// before them, then one column each. -1 for gaps, and if the span of the edge or of a gap before is
  /// unknown. Valid until the next call.
  std::span<const int64_t> source_columns(size_t number);
  /// Calls body(link) for the links of an edge, in positions of the sentence. Links of the rule are between
  /// positions of its two sides, gaps included; a link is omitted if its source column is unknown, or if it
  /// is to a gap. Phrases need no source side.
  template <class Body>
  void for_each_link(size_t number, Body body) {
    const uint32_t edge = tree_.edge(number);
    const auto links = forest_.rules().links[forest_.rule(edge)];
    if (links.empty() || !is_known(source(number))) return;
    const auto target = forest_.target(edge);
    const bool bare = forest_.rules().sources[forest_.rule(edge)].empty();
    if (bare && !forest_.tails(edge).empty() && !adds_phrase(number)) return;
    const auto columns = source_columns(number);
    for (const corpus::Link& link : links) {
      const int64_t column =
          bare ? int64_t{source(number).begin} + link.source : columns[static_cast<size_t>(link.source)];
      const auto position = static_cast<size_t>(link.target);
      if (column >= 0 && column <= INT32_MAX && !grammar::is_gap(target[position]))
        body(corpus::Link{static_cast<int32_t>(column), positions_[symbols_[number] + position]});
    }
  }

 private:
  const Forest& forest_;
  DerivationTree tree_;
  std::vector<grammar::Symbol> words_;
  std::vector<uint32_t> order_;
  std::vector<SourceSpan> targets_;  // by number: target span, tails included
  std::vector<size_t> symbols_;      // by number: index of its first symbol in positions_
  std::vector<int32_t> positions_;   // of each symbol of each target side, in the yield
  std::vector<int64_t> columns_;     // wider than spans, as files may have any numbers
};

/// Source and target span of an edge.
struct DerivationSegment {
  SourceSpan source;
  SourceSpan target;

  friend bool operator==(const DerivationSegment&, const DerivationSegment&) = default;
};

struct DerivationReading {
  std::vector<grammar::Symbol> words;
  std::vector<corpus::Link> links;          // positions in the sentence, sorted, each once
  std::vector<DerivationSegment> segments;  // by target position, outer before inner
};

/// Words, alignment and segments of a derivation. The segment of an edge that adds a phrase excludes its
/// tail; other segments include everything below the edge. An edge of unknown span, or without columns and
/// words, has no segment.
DerivationReading read_derivation(const Forest& forest, std::span<const uint32_t> edges);

}  // namespace tunesmith::forest
