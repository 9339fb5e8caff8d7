// Cube pruning over the cells of a chart, from the bottom up. Cube pruning over the cells of a chart (Chiang
// 2007; Huang and Chiang 2007).
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/decode/chart/rule_chart.h"
#include "tunesmith/decode/lazy_queue.h"
#include "tunesmith/decode/weighted_model.h"

namespace tunesmith::decode::chart {

struct ChartSettings {
  uint32_t pop_limit = 200;                                   // hypotheses that are made a cell; 0 makes all
  uint32_t cell_size = std::numeric_limits<uint32_t>::max();  // hypotheses that are kept a cell
  float beam_threshold =
      std::numeric_limits<float>::infinity();  // those much worse than the best are dropped
  bool keep_all = false;                       // edges that lost, for forests and n-best lists
  size_t memory_limit = 0;                     // bytes of one sentence; 0 is without limit
};

/// A way to make a node: a rule, and a node for each of its gaps.
struct ChartEdge {
  uint32_t first_tail;
  uint32_t use;     // of the chart
  uint32_t option;  // of the use
  uint32_t next;    // edge of the same node
};

/// Hypotheses of one cell that no feature can tell apart.
struct ChartNode {
  double score;  // of the best derivation
  uint32_t cell;
  uint32_t edge;  // the best one; others follow it
};

/// All that a search keeps of one sentence, on one thread; memory is used again for the next sentence.
class ChartSearch {
 public:
  static constexpr uint32_t kNone = kNoNumber;

  /// A feature that makes no sense in a chart is an InputError.
  ChartSearch(const WeightedModel& model, const ChartSettings& settings);

  /// Searches; the chart must stay until the results were read.
  void run(const RuleChart& chart);
  /// Sets what is called now and then while a search is made; what it throws ends the search.
  void set_poll(std::function<void()> poll) { poll_ = std::move(poll); }

  /// Nodes of the goal, best first.
  std::span<const uint32_t> complete() const { return complete_; }
  const std::vector<ChartNode>& nodes() const { return nodes_; }
  const std::vector<ChartEdge>& edges() const { return edges_; }
  std::span<const uint32_t> tails(const ChartEdge& edge) const {
    return {tails_.data() + edge.first_tail, chart_->uses[edge.use].arity};
  }
  const Option& option(const ChartEdge& edge) const { return chart_->uses[edge.use].options[edge.option]; }
  uint32_t state(uint32_t node, size_t feature) const { return states_[node * sessions_.size() + feature]; }
  const std::vector<std::unique_ptr<FeatureSession>>& sessions() const { return sessions_; }
  const RuleChart& chart() const { return *chart_; }
  /// Memory that the search holds for the sentence, and the chart.
  size_t bytes() const;

 private:
  static constexpr uint32_t kPollEvery = 1024;

  /// A point of a cube: an option of a use, and the rank of a node of each tail's cell. Its priority is a
  /// foresight until features that cost time were asked.
  struct Item {
    double priority;
    uint32_t use;
    uint32_t option;
    uint32_t ranks;      // where they begin
    uint32_t evaluated;  // where its states are; kNone if they were not asked for

    bool is_evaluated() const { return evaluated != kNone; }
  };
  /// The nodes of a cell, best first.
  struct Kept {
    uint32_t first = 0, last = 0;  // of order_

    uint32_t size() const { return last - first; }
  };

  void search_cell(uint32_t cell);
  void push(uint32_t use, uint32_t option, std::span<const uint32_t> ranks);
  void push_neighbors(const Item& item);
  bool evaluate(Item& item);
  void accept(const Item& item, uint32_t cell);
  void add_edge(ChartNode& node, const ChartEdge& edge, double score);
  Transition transition(size_t feature, const Item& item);
  float foresight(size_t feature, const Item& item);
  std::span<const uint32_t> tail_states(size_t feature, const Item& item);
  uint32_t tail(const Item& item, uint32_t gap) const {
    const uint32_t cell = chart_->tails[chart_->uses[item.use].first_tail + gap];
    return order_[cells_[cell].first + ranks_[item.ranks + gap]];
  }

  ChartSettings settings_;
  std::vector<std::unique_ptr<FeatureSession>> sessions_;
  std::vector<size_t> cheap_, costly_;
  double optimism_ = 0;  // of the costly features, for each gap
  std::function<void()> poll_;
  uint32_t polls_ = 0;

  const RuleChart* chart_ = nullptr;
  Range range_;  // of the cell at hand, without marks
  std::vector<Kept> cells_;
  std::vector<uint32_t> order_;
  std::vector<ChartNode> nodes_;
  std::vector<uint32_t> states_;  // a row a node
  std::vector<ChartEdge> edges_;
  std::vector<uint32_t> tails_;  // of edges
  std::vector<Item> queue_;
  CompactHeap heap_;
  std::vector<uint32_t> ranks_;  // of items of the cell
  std::vector<uint32_t> evaluated_states_;
  std::vector<uint32_t> next_states_, gathered_, scratch_ranks_;  // scratch
  FlatMap<uint32_t> recombined_;                                  // hash to node, of one cell
  std::vector<uint32_t> complete_;
};

}  // namespace tunesmith::decode::chart
