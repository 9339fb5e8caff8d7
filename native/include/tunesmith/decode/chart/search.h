// Cube pruning over the cells of a chart, bottom-up (Chiang 2007; Huang and Chiang 2007).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/decode/chart/rule_chart.h"
#include "tunesmith/decode/lazy_queue.h"
#include "tunesmith/decode/placed_features.h"
#include "tunesmith/decode/weighted_model.h"

namespace tunesmith::decode::chart {

struct ChartSearchOptions {
  uint32_t pop_limit = 200;                                   // hypotheses made per cell; 0 makes all
  uint32_t cell_size = std::numeric_limits<uint32_t>::max();  // hypotheses kept per cell
  float beam_threshold =
      std::numeric_limits<float>::infinity();  // hypotheses worse than the best by more are dropped
  bool keep_all = false;                       // also recombined edges, for forests and n-best lists
  bool keep_scores = false;                    // of all edges; needs `keep_all`
  size_t memory_limit = 0;                     // bytes per sentence; 0: no limit
};

/// An in-edge of a node: a rule, and a node for each of its gaps.
struct ChartEdge {
  uint32_t first_tail;
  uint32_t use;     // of the chart
  uint32_t option;  // of the use
  uint32_t next;    // edge of the same node
};

/// Recombined hypotheses: those of one cell with equal feature states.
struct ChartNode {
  double score;  // of the best derivation
  uint32_t cell;
  uint32_t edge;  // the best one; others follow it
};

/// The search of one sentence at a time, on one thread; memory is reused for the next sentence.
class ChartSearch {
 public:
  static constexpr uint32_t kNone = kNoNumber;

  /// Throws InputError if a feature is not defined in a chart.
  ChartSearch(const WeightedModel& model, const ChartSearchOptions& options);

  /// Searches; the chart must outlive the use of the results.
  void run(const RuleChart& chart);
  /// Sets a function that the search calls regularly; an exception from it ends the search.
  void set_poll(std::function<void()> poll) { poll_ = std::move(poll); }

  /// Nodes of the goal, best first.
  std::span<const uint32_t> complete() const { return complete_; }
  const std::vector<ChartNode>& nodes() const { return nodes_; }
  const std::vector<ChartEdge>& edges() const { return edges_; }
  /// What an edge of `edges` adds to the scores of its tails, if scores are kept.
  double edge_score(const ChartEdge& edge) const {
    return edge_scores_[static_cast<size_t>(&edge - edges_.data())];
  }
  std::span<const uint32_t> tails(const ChartEdge& edge) const {
    return {tails_.data() + edge.first_tail, chart_->uses[edge.use].arity};
  }
  const Option& option(const ChartEdge& edge) const { return chart_->uses[edge.use].options[edge.option]; }
  const PlacedFeatures& placed_features() const { return *placed_features_; }
  uint32_t state(uint32_t node, size_t feature) const { return states_[node * sessions_.size() + feature]; }
  const std::vector<std::unique_ptr<FeatureSession>>& sessions() const { return sessions_; }
  const RuleChart& chart() const { return *chart_; }
  /// Memory of the search and the chart of the sentence.
  size_t bytes() const;

 private:
  static constexpr uint32_t kPollEvery = 1024;

  /// A cell of a cube: an option of a use, and the rank of a node of each tail's cell. Its priority is an
  /// estimate until the costly features are computed.
  struct Item {
    double priority;
    uint32_t use;
    uint32_t option;     // its rank
    uint32_t ranks;      // where they begin
    uint32_t evaluated;  // where its states begin; kNone if not yet computed

    bool is_evaluated() const { return evaluated != kNone; }
  };
  /// The nodes of a cell, best first.
  struct Kept {
    uint32_t first = 0, last = 0;  // of order_

    uint32_t size() const { return last - first; }
  };

  /// An option of a use under placed features.
  struct PlacedRank {
    uint32_t option;
    float score;  // of placed features
  };

  void search_cell(uint32_t cell);
  void place_use(uint32_t use);
  /// The options of a use by rank, best first.
  PlacedRank ranked(uint32_t use, uint32_t rank) const {
    return placed_features_->empty() ? PlacedRank{rank, 0} : placed_[placed_first_[use] + rank];
  }
  const Option& option_of(const Item& item) const {
    return chart_->uses[item.use].options[ranked(item.use, item.option).option];
  }
  void push(uint32_t use, uint32_t option, std::span<const uint32_t> ranks);
  void push_neighbors(const Item& item);
  bool evaluate(Item& item);
  void accept(const Item& item, uint32_t cell);
  void add_edge(ChartNode& node, const ChartEdge& edge, double score);
  Transition transition(size_t feature, const Item& item);
  float lookahead(size_t feature, const Item& item);
  std::span<const uint32_t> tail_states(size_t feature, const Item& item);
  uint32_t tail(const Item& item, uint32_t gap) const {
    const uint32_t cell = chart_->tails[chart_->uses[item.use].first_tail + gap];
    return order_[cells_[cell].first + ranks_[item.ranks + gap]];
  }

  const WeightedModel& model_;
  ChartSearchOptions options_;
  std::vector<std::unique_ptr<FeatureSession>> sessions_;
  std::vector<size_t> cheap_, costly_;  // features with and without lookahead
  double optimism_ = 0;                 // of the costly features, per gap
  std::function<void()> poll_;
  uint32_t polls_ = 0;

  const RuleChart* chart_ = nullptr;
  Range range_;  // of the current cell, without sentence markers
  std::vector<Kept> cells_;
  std::vector<uint32_t> order_;
  std::vector<ChartNode> nodes_;
  std::vector<uint32_t> states_;  // one row per node
  std::vector<ChartEdge> edges_;
  std::vector<double> edge_scores_;  // by edge, if kept
  std::vector<uint32_t> tails_;      // of edges
  std::vector<Item> queue_;
  CompactHeap heap_;
  std::vector<uint32_t> ranks_;  // of items of the cell
  std::optional<PlacedFeatures> placed_features_;
  std::vector<size_t> placed_first_;  // by use: where its options begin in `placed_`
  std::vector<PlacedRank> placed_;    // of the cell; empty if the model has no placed features
  std::vector<Range> gaps_;           // scratch
  std::vector<uint32_t> evaluated_states_;
  std::vector<uint32_t> next_states_, gathered_, scratch_ranks_;  // scratch
  FlatMap<uint32_t> recombined_;                                  // hash to node, of one cell
  std::vector<uint32_t> complete_;
};

}  // namespace tunesmith::decode::chart
