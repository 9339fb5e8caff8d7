// CKY+ parsing of the input with the source sides of grammars.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "tunesmith/corpus/word_lattice.h"
#include "tunesmith/decode/chart/rule_chart.h"
#include "tunesmith/decode/chart/rule_source.h"

namespace tunesmith::decode::chart {

/// CKY+ (Chappelier and Rajman 1998): for each left border, from right to left, dotted source sides are
/// extended to the right by words and by constituents found before. Rules of any number of symbols and gaps
/// need no binarization. O(columns^2) times the dotted sides that match.
class ChartParser {
 public:
  /// `arc_scores` has the weighted scores of the arcs of each column. All arguments must outlive the parser.
  ChartParser(const corpus::WordLattice& input, std::span<const std::unique_ptr<RuleSource>> sources,
              const std::vector<std::vector<float>>& arc_scores);

  /// Adds a constituent of one arc for an unknown word.
  void add(uint32_t column, uint32_t arc, uint32_t category, std::shared_ptr<const OptionList> list);
  /// Fills the chart, whose last cell is `goal` over the whole input; no cells if there is no derivation of
  /// it. `poll` is called regularly. A chart that exceeds the memory limit, if not 0, is an InputError.
  void parse(uint32_t goal, RuleChart& chart, const std::function<void()>& poll, size_t memory_limit = 0);

 private:
  static constexpr uint32_t kPauseEvery = 1024;

  /// A dotted (partial) source side that begins at the current left border.
  struct Dot {
    uint32_t source;
    uint32_t node;
    uint32_t arity;
    uint32_t last_symbol;
    float score;
  };
  struct Waiting {
    Dot dot;  // after the gap is filled, except for the symbol
    uint32_t category;
  };
  struct Given {
    uint32_t arc, category;
    std::shared_ptr<const OptionList> list;
  };
  struct Found {
    uint32_t category;
    RuleUse use;
  };

  void order_categories();
  void begin(uint32_t column);
  uint32_t place(const PlacedSymbol& symbol);
  void scan(const Dot& dot, uint32_t column);
  bool is_within(uint32_t source, uint32_t end) const;
  void reach(uint32_t source, uint32_t end);
  void arrive(const Dot& dot, uint32_t end);
  void pause();
  std::span<const Option> within_borders(std::span<const Option> options, std::span<const uint32_t> tails,
                                         uint32_t end);
  void fill_gaps(uint32_t end);
  void close(uint32_t end);
  void make_cell(uint32_t category, uint32_t end);
  void mark_needed(uint32_t goal);
  Range cells(uint32_t begin, uint32_t end) const {
    return end - begin <= cells_[begin].size() ? cells_[begin][end - begin - 1] : Range{};
  }

  const corpus::WordLattice& input_;
  std::span<const std::unique_ptr<RuleSource>> sources_;
  const std::vector<std::vector<float>>& arc_scores_;
  std::vector<std::vector<std::vector<int32_t>>> words_;  // by column, arc and source
  std::vector<std::vector<RuleSource::Gap>> first_gaps_;  // by source
  std::vector<uint32_t> ranks_;                           // of categories: topological order of unary rules
  std::vector<std::vector<Given>> given_;                 // by column

  std::function<void()> poll_;
  size_t memory_limit_ = 0;
  uint32_t arrived_ = 0;

  RuleChart* chart_ = nullptr;
  uint32_t begin_ = 0;
  uint32_t furthest_ = 0;                      // last column where a dotted side may end
  std::vector<std::vector<Dot>> arriving_;     // by the column where they end
  std::vector<std::vector<Waiting>> waiting_;  // by the column where the gap begins
  std::vector<uint32_t> waiting_columns_;      // where `waiting_` is not empty
  std::vector<Found> found_;                   // of the current range
  std::vector<RuleSource::Gap> gaps_;          // scratch
  std::vector<RuleSource::Rules> rules_;       // scratch
  std::vector<std::vector<Range>> cells_;      // by begin, and the length of the range
};

}  // namespace tunesmith::decode::chart
