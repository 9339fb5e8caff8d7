// Which rules fit where: parsing with the source sides of grammars.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "tunesmith/corpus/word_lattice.h"
#include "tunesmith/decode/chart/rule_chart.h"
#include "tunesmith/decode/chart/rule_source.h"

namespace tunesmith::decode::chart {

/// CKY+ (Chappelier and Rajman 1998): for each left border, from right to left, partial source sides grow to
/// the right by words and by constituents that are there already. Rules of any number of symbols and gaps
/// need no binarization. O(columns^2) times the partial sides that fit.
class ChartParser {
 public:
  /// `arc_scores` has what the arcs of each column count, weighted. All must outlive the parser.
  ChartParser(const corpus::WordLattice& input, std::span<const std::unique_ptr<RuleSource>> sources,
              const std::vector<std::vector<float>>& arc_scores);

  /// Adds a constituent of one arc that no grammar has: an unknown word.
  void add(uint32_t column, uint32_t arc, uint32_t category, std::shared_ptr<const OptionList> list);
  /// Finds all that the whole input can be, with `goal` as its last cell; no cells if it cannot be that.
  /// `poll` is called now and then. A chart of more bytes than the limit, if there is one, is an InputError.
  void parse(uint32_t goal, RuleChart& chart, const std::function<void()>& poll, size_t memory_limit = 0);

 private:
  static constexpr uint32_t kPauseEvery = 1024;

  /// A partial source side. It begins at the left border at hand.
  struct Dot {
    uint32_t source;
    uint32_t node;
    uint32_t arity;
    uint32_t last_symbol;
    float score;
  };
  struct Waiting {
    Dot dot;  // after the gap is filled, but for the symbol
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
  std::vector<uint32_t> ranks_;            // of categories: what is made of one alone comes after it
  std::vector<std::vector<Given>> given_;  // by column

  std::function<void()> poll_;
  size_t memory_limit_ = 0;
  uint32_t arrived_ = 0;

  RuleChart* chart_ = nullptr;
  uint32_t begin_ = 0;
  uint32_t furthest_ = 0;                      // where something may still end
  std::vector<std::vector<Dot>> arriving_;     // by the column where they end
  std::vector<std::vector<Waiting>> waiting_;  // by the column where the gap begins
  std::vector<uint32_t> waiting_columns_;      // that are not empty
  std::vector<Found> found_;                   // of the range at hand
  std::vector<RuleSource::Gap> gaps_;          // scratch
  std::vector<RuleSource::Rules> rules_;       // scratch
  std::vector<std::vector<Range>> cells_;      // by begin, and the length of the range
};

}  // namespace tunesmith::decode::chart
