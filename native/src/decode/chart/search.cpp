#include "tunesmith/decode/chart/search.h"

#include <algorithm>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/base/text.h"
#include "tunesmith/decode/edge_lists.h"

namespace tunesmith::decode::chart {

namespace {

/// Share of a feature's optimism per gap, at whose ends new n-grams form. Chosen among 0, 0.1, 0.2, 0.3 and
/// 0.5 by the model scores of 200 sentences with Moses' hierarchical model at a pop limit of 200: from 0.2 on
/// they are better than without it, and larger values cost time.
constexpr double kOptimismOfGap = 0.3;

}  // namespace

ChartSearch::ChartSearch(const WeightedModel& model, const ChartSearchOptions& options)
    : model_(model), options_(options) {
  for (const auto& part : model.model().features()) {
    auto session = part.feature->chart_session(model.weights(part), part.prepared);
    if (!session)
      throw InputError("the feature " + quoted(part.feature->shown_name()) +
                       " needs a decoder that goes from left to right; remove it for a chart decoder");
    (part.feature->has_lookahead() ? cheap_ : costly_).push_back(sessions_.size());
    if (!part.feature->has_lookahead())
      optimism_ += kOptimismOfGap * part.feature->optimism(model.weights(part));
    sessions_.push_back(std::move(session));
  }
  next_states_.resize(sessions_.size());
}

void ChartSearch::run(const RuleChart& chart) {
  chart_ = &chart;
  cells_.assign(chart.cells.size(), {});
  order_.clear();
  nodes_.clear();
  states_.clear();
  edges_.clear();
  edge_scores_.clear();
  tails_.clear();
  complete_.clear();
  for (const auto& session : sessions_) session->begin(chart.input);
  placed_features_.emplace(model_, chart.input);
  placed_first_.assign(placed_features_->empty() ? 0 : chart.uses.size(), 0);
  for (uint32_t cell = 0; cell < chart.cells.size(); ++cell)
    if (chart.cells[cell].is_needed) search_cell(cell);
  if (!cells_.empty())
    complete_.assign(order_.begin() + cells_.back().first, order_.begin() + cells_.back().last);
}

void ChartSearch::search_cell(uint32_t cell) {
  const ChartCell& place = chart_->cells[cell];
  range_ = unmarked(place.range, chart_->input.columns);
  const auto begin = static_cast<uint32_t>(nodes_.size());
  recombined_.clear();
  queue_.clear();
  ranks_.clear();
  evaluated_states_.clear();
  placed_.clear();
  for (uint32_t use = place.first; use < place.last; ++use) {
    if (!placed_features_->empty()) place_use(use);
    scratch_ranks_.assign(chart_->uses[use].arity, 0);
    push(use, 0, scratch_ranks_);
  }
  pop_lazily(
      queue_, heap_, {options_.pop_limit, options_.beam_threshold},
      [&](const Item& item) { push_neighbors(item); }, [&](Item& item) { return evaluate(item); },
      [&](const Item& item) { accept(item, cell); });
  Kept& kept = cells_[cell];
  kept.first = static_cast<uint32_t>(order_.size());
  for (uint32_t node = begin; node < nodes_.size(); ++node) order_.push_back(node);
  std::sort(order_.begin() + kept.first, order_.end(), [&](uint32_t a, uint32_t b) {
    return nodes_[a].score != nodes_[b].score ? nodes_[a].score > nodes_[b].score : a < b;
  });
  if (order_.size() - kept.first > options_.cell_size) order_.resize(kept.first + options_.cell_size);
  kept.last = static_cast<uint32_t>(order_.size());
  chart_->check_memory(bytes(), options_.memory_limit);
}

/// Scores the options of a use by placed features, and sorts them by sort_score with it.
void ChartSearch::place_use(uint32_t use) {
  placed_first_[use] = placed_.size();
  const auto& options = chart_->uses[use].options;
  chart_->gap_ranges(chart_->uses[use], gaps_);
  for (uint32_t i = 0; i < options.size(); ++i)
    placed_.push_back({i, placed_features_->score(options[i], {range_, gaps_})});
  const auto first = placed_.begin() + static_cast<std::ptrdiff_t>(placed_first_[use]);
  std::stable_sort(first, placed_.end(), [&](const PlacedRank& a, const PlacedRank& b) {
    return options[a.option].sort_score + a.score > options[b.option].sort_score + b.score;
  });
}

std::span<const uint32_t> ChartSearch::tail_states(size_t feature, const Item& item) {
  const uint32_t arity = chart_->uses[item.use].arity;
  gathered_.resize(arity);
  for (uint32_t gap = 0; gap < arity; ++gap) gathered_[gap] = state(tail(item, gap), feature);
  return gathered_;
}

/// The score and state of a feature after a rule. Rules of sentence markers call its `start` and `finish`.
Transition ChartSearch::transition(size_t feature, const Item& item) {
  const Option& option = option_of(item);
  FeatureSession& session = *sessions_[feature];
  if (option.border == grammar::Border::kBegin) return {0, session.start()};
  const auto states = tail_states(feature, item);
  if (option.border == grammar::Border::kEnd) return {session.finish(states[0]), states[0]};
  return session.apply(states, {option, range_, {}});
}

float ChartSearch::lookahead(size_t feature, const Item& item) {
  const Option& option = option_of(item);
  if (option.border != grammar::Border::kNone) return transition(feature, item).score;
  return sessions_[feature]->lookahead(tail_states(feature, item), {option, range_, {}});
}

void ChartSearch::push(uint32_t use_number, uint32_t option, std::span<const uint32_t> ranks) {
  if (++polls_ % kPollEvery == 0) {
    if (poll_) poll_();
    chart_->check_memory(bytes(), options_.memory_limit);
  }
  const RuleUse& use = chart_->uses[use_number];
  if (option >= use.options.size()) return;
  const PlacedRank placed = ranked(use_number, option);
  Item item{double{use.options[placed.option].sort_score} + double{use.input_score} + optimism_ * use.arity +
                double{placed.score},
            use_number, option, static_cast<uint32_t>(ranks_.size()), kNone};
  const auto cells = chart_->tails_of(use);
  for (uint32_t gap = 0; gap < use.arity; ++gap)
    if (ranks[gap] >= cells_[cells[gap]].size()) return;
  ranks_.insert(ranks_.end(), ranks.begin(), ranks.end());
  for (uint32_t gap = 0; gap < use.arity; ++gap) item.priority += nodes_[tail(item, gap)].score;
  for (const size_t feature : cheap_) item.priority += double{lookahead(feature, item)};
  queue_.push_back(item);
}

/// Each item has exactly one predecessor: options advance first, then the first gap, then the second.
void ChartSearch::push_neighbors(const Item& item) {
  const uint32_t arity = chart_->uses[item.use].arity;
  scratch_ranks_.assign(ranks_.begin() + item.ranks, ranks_.begin() + item.ranks + arity);
  uint32_t last = 0;  // coordinates before it do not change
  for (uint32_t gap = 0; gap < arity; ++gap)
    if (scratch_ranks_[gap] > 0) last = gap;
  if (std::ranges::all_of(scratch_ranks_, [](uint32_t rank) { return rank == 0; }))
    push(item.use, item.option + 1, scratch_ranks_);
  for (uint32_t gap = last; gap < arity; ++gap) {
    ++scratch_ranks_[gap];
    push(item.use, item.option, scratch_ranks_);
    --scratch_ranks_[gap];
  }
}

/// Sets the full score; false if a feature forbids the item.
bool ChartSearch::evaluate(Item& item) {
  const RuleUse& use = chart_->uses[item.use];
  const Option& option = option_of(item);
  item.priority += double{option.score} - double{option.sort_score} - optimism_ * use.arity;
  if (!(item.priority > kForbiddenScore)) return false;
  const size_t first = evaluated_states_.size();
  for (const size_t feature : costly_) {
    const Transition next = transition(feature, item);
    item.priority += double{next.score};
    evaluated_states_.push_back(next.state);
  }
  if (!(item.priority > kForbiddenScore)) {
    evaluated_states_.resize(first);
    return false;
  }
  item.evaluated = static_cast<uint32_t>(first);
  return true;
}

void ChartSearch::accept(const Item& item, uint32_t cell) {
  size_t at = item.evaluated;
  for (const size_t feature : costly_) next_states_[feature] = evaluated_states_[at++];
  for (const size_t feature : cheap_) next_states_[feature] = transition(feature, item).state;
  const ChartEdge edge{static_cast<uint32_t>(tails_.size()), item.use, ranked(item.use, item.option).option,
                       kNone};
  double own_score = item.priority;
  for (uint32_t gap = 0; gap < chart_->uses[item.use].arity; ++gap) {
    tails_.push_back(tail(item, gap));
    own_score -= nodes_[tails_.back()].score;
  }
  if (options_.keep_scores) edge_scores_.push_back(own_score);
  uint64_t key = 0;
  for (const uint32_t state : next_states_) key = mix(key, state);
  for (;; ++key) {  // linear probing resolves hash collisions
    const auto [number, is_new] = recombined_.insert(key, static_cast<uint32_t>(nodes_.size()));
    if (is_new) {
      nodes_.push_back({item.priority, cell, static_cast<uint32_t>(edges_.size())});
      states_.insert(states_.end(), next_states_.begin(), next_states_.end());
      edges_.push_back(edge);
      return;
    }
    const auto* states = states_.data() + size_t{number} * sessions_.size();
    if (!std::equal(next_states_.begin(), next_states_.end(), states)) continue;
    return add_edge(nodes_[number], edge, item.priority);
  }
}

/// Adds an edge to an existing node; the best edge stays first.
void ChartSearch::add_edge(ChartNode& node, const ChartEdge& edge, double score) {
  const bool is_best = score > node.score;
  if (is_best) node.score = score;
  link_edge(edges_, node.edge, edge, is_best, options_.keep_all);
}

size_t ChartSearch::bytes() const {
  return chart_->bytes() + bytes_of(sessions_) + held_bytes(cells_) + held_bytes(order_) +
         held_bytes(nodes_) + held_bytes(states_) + held_bytes(edges_) + held_bytes(edge_scores_) +
         held_bytes(tails_) + held_bytes(queue_) + heap_.bytes() + held_bytes(ranks_) +
         held_bytes(evaluated_states_) + recombined_.bytes() + held_bytes(placed_) +
         held_bytes(placed_first_);
}

}  // namespace tunesmith::decode::chart
