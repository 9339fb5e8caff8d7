// Stack decoding (Koehn, Och and Marcu 2003; Koehn 2004) with cube pruning (Huang and Chiang 2007), as in
// Moses (Koehn et al. 2007): beam search from left to right over stacks of hypotheses.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "tunesmith/base/flat_map.h"
#include "tunesmith/decode/coverage.h"
#include "tunesmith/decode/feature.h"
#include "tunesmith/decode/lazy_queue.h"
#include "tunesmith/decode/source_options.h"

namespace tunesmith::decode::phrase {

struct PhraseSearchOptions {
  uint32_t pop_limit = 200;   // hypotheses made per stack; 0 makes all (no cube pruning)
  uint32_t stack_size = 200;  // hypotheses kept per stack
  float beam_threshold =
      std::numeric_limits<float>::infinity();  // hypotheses worse than the best by more are dropped
  int32_t distortion_limit = 6;                // of jumps; negative: no limit
  bool early_discard = true;                   // no jump from which the first gap would be out of reach
  bool keep_all = false;                       // also recombined edges, for forests and n-best lists
  bool keep_scores = false;                    // of all edges; needs `keep_all`
  size_t memory_limit = 0;                     // bytes per sentence; 0: no limit
};

/// An in-edge of a node: an option applied to the tail.
struct SearchEdge {
  uint32_t tail;
  uint32_t entry;   // of the SourceOptions
  uint32_t option;  // of the entry
  uint32_t next;    // edge of the same node
};

/// Recombined hypotheses: equal coverage, end and feature states.
struct SearchNode {
  double score;     // of the best derivation
  double estimate;  // score plus future cost
  uint32_t coverage;
  uint32_t last_end;  // the column after the last phrase
  uint32_t edge;      // the best one; others follow it
};

/// The search of one sentence at a time, on one thread; memory is reused for the next sentence.
class PhraseSearch {
 public:
  static constexpr uint32_t kNone = kNoNumber;

  PhraseSearch(const WeightedModel& model, const PhraseSearchOptions& options);

  /// Searches; the options must outlive the use of the results. A search without early discard that finds no
  /// translation is repeated with it. One that exceeds the memory limit is an InputError.
  void run(const SourceOptions& source_options);

  /// Sets a function that the search calls regularly; an exception from it ends the search.
  void set_poll(std::function<void()> poll) { poll_ = std::move(poll); }

  /// Hypotheses that cover the whole input, best first, with the scores of the sentence end included.
  struct Complete {
    uint32_t node;
    double score;
  };
  std::span<const Complete> complete() const { return complete_; }
  const std::vector<SearchNode>& nodes() const { return nodes_; }
  const std::vector<SearchEdge>& edges() const { return edges_; }
  /// What an edge of `edges` adds to the score of its tail, if scores are kept.
  double edge_score(const SearchEdge& edge) const {
    return edge_scores_[static_cast<size_t>(&edge - edges_.data())];
  }
  std::span<const uint32_t> states(uint32_t node) const {
    return {states_.data() + size_t{node} * features_, features_};
  }
  Step step(const SearchEdge& edge) const {
    const OptionEntry& entry = source_options_->entries()[edge.entry];
    return {entry.options[edge.option], entry.range, coverages_[nodes_[edge.tail].coverage]};
  }
  const std::vector<std::unique_ptr<FeatureSession>>& sessions() const { return sessions_; }
  const SourceOptions& source_options() const { return *source_options_; }
  /// The most memory that the search and the options of the sentence held.
  size_t peak_bytes() const { return peak_bytes_; }

 private:
  static constexpr uint32_t kPollEvery = 1024;  // cells and groups: a stack alone may take a minute

  /// Nodes with one coverage and one end, best first, times the options of an entry.
  struct Cube {
    uint32_t first, last;  // of `order_`
    uint32_t entry;
    uint32_t coverage;  // after the step
    float extra;        // weighted distortion and input score
    float future_cost;  // of the coverage after the step, and of the jump to its first gap
  };
  /// A cell of a cube. Its priority is an estimate until the costly features are computed.
  struct Item {
    double priority;
    uint32_t cube;
    uint32_t row, column;
    uint32_t evaluated;  // where its states begin; kNone if not yet computed

    bool is_evaluated() const { return evaluated != kNone; }
  };

  void search(const SourceOptions& source_options);
  void begin(const SourceOptions& source_options);
  void search_stack(uint32_t stack);
  void poll() {
    if (++polls_ % kPollEvery == 0) pause();
  }
  void pause();
  void check_memory();
  size_t bytes() const;
  void add_cube(uint32_t stack, const Cube& cube);
  void release_cubes(uint32_t stack);
  void expand();
  void keep_best(size_t first);
  void expand_group(uint32_t first, uint32_t last);
  void push(uint32_t cube, uint32_t row, uint32_t column);
  /// False if a feature forbids the cell.
  bool push_cell(uint32_t cube, uint32_t row, uint32_t column);
  void push_neighbors(const Item& item);
  /// Computes the costly features; false if one of them forbids the step.
  bool evaluate(Item& item);
  void accept(const Item& item);
  void add_edge(uint32_t node, const SearchEdge& edge, double score, double estimate);
  void finish();
  float future_cost(uint32_t coverage);
  float step_cost(const SearchNode& node, uint32_t first_gap, Range range) const;
  float jump_cost(uint32_t from, uint32_t to) const;
  uint32_t extended(uint32_t coverage, uint32_t entry);
  bool is_dead(uint32_t coverage, uint32_t last_end) const;

  PhraseSearchOptions options_;
  size_t features_;
  std::vector<std::unique_ptr<FeatureSession>> sessions_;
  std::vector<size_t> cheap_, costly_;  // features with and without lookahead
  float distortion_weight_;
  DistortionCost distortion_cost_;
  float optimism_ = 0;  // of the costly features
  bool early_discard_ = true;
  std::function<void()> poll_;
  uint32_t polls_ = 0;

  const SourceOptions* source_options_ = nullptr;
  CoveragePool coverages_;
  std::vector<float> future_costs_;  // by coverage
  FlatMap<uint32_t> extended_;       // by coverage and entry
  std::vector<SearchNode> nodes_;
  std::vector<uint32_t> states_;  // one row per node
  std::vector<SearchEdge> edges_;
  std::vector<double> edge_scores_;       // by edge, if kept
  std::vector<std::vector<Cube>> cubes_;  // by stack
  size_t cube_bytes_ = 0;                 // of the cubes of all stacks
  size_t peak_bytes_ = 0;
  std::vector<uint32_t> order_;  // nodes, by group
  std::vector<Item> queue_;
  CompactHeap heap_;
  std::vector<uint32_t> evaluated_states_;
  std::vector<uint32_t> next_states_;  // scratch, a row
  FlatMap<uint32_t> recombined_;       // hash to node, of one stack
  uint32_t stack_begin_ = 0;           // the first node of the stack
  const std::vector<Cube>* stack_cubes_ = nullptr;
  std::vector<Complete> complete_;
};

}  // namespace tunesmith::decode::phrase
