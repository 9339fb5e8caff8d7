#include "tunesmith/phrase_search.h"

#include <algorithm>
#include <cmath>

#include "tunesmith/text.h"

namespace tunesmith {

namespace {

constexpr float kForbidden = -std::numeric_limits<float>::infinity();

}  // namespace

PhraseSearch::PhraseSearch(const WeightedModel& model, const SearchSettings& settings)
    : model_(model),
      settings_(settings),
      features_(model.model().features().size()),
      distortion_weight_(model.weight(Penalty::kDistortion)),
      next_states_(features_) {
  for (const auto& feature : model.model().features()) {
    (feature.feature->foresees() ? cheap_ : costly_).push_back(sessions_.size());
    if (!feature.feature->foresees()) optimism_ += feature.feature->optimism(model.weights(feature));
    sessions_.push_back(feature.feature->session(model.weights(feature), feature.prepared));
  }
}

void PhraseSearch::run(const OptionChart& chart) {
  begin(chart);
  for (uint32_t stack = 0; stack < chart.columns(); ++stack) {
    search_stack(stack);
    expand(stack);
  }
  search_stack(chart.columns());
  finish();
}

void PhraseSearch::begin(const OptionChart& chart) {
  chart_ = &chart;
  coverages_.clear();
  futures_.clear();
  extended_.clear();
  nodes_.clear();
  states_.clear();
  edges_.clear();
  order_.clear();
  complete_.clear();
  popped_ = 0;
  for (auto& cubes : cubes_) cubes.clear();
  cubes_.resize(std::max<size_t>(cubes_.size(), chart.columns() + 1));
  for (const auto& session : sessions_) {
    session->begin(chart.decoder_input());
    states_.push_back(session->start());
  }
  nodes_.push_back({0, future(0), 0, 0, kNone});
  stack_begin_ = 0;
}

float PhraseSearch::future(uint32_t coverage) {
  if (coverage < futures_.size() && !std::isnan(futures_[coverage])) return futures_[coverage];
  if (coverage >= futures_.size()) futures_.resize(coverage + 1, std::numeric_limits<float>::quiet_NaN());
  float sum = 0;
  coverages_[coverage].for_each_gap(chart_->columns(), [&](Range gap) { sum += chart_->future(gap); });
  return futures_[coverage] = sum;
}

/// Makes the hypotheses of a stack from its cubes.
void PhraseSearch::search_stack(uint32_t stack) {
  if (stack > 0) stack_begin_ = static_cast<uint32_t>(nodes_.size());
  recombined_.clear();
  queue_.clear();
  evaluated_scores_.clear();
  evaluated_states_.clear();
  stack_cubes_ = &cubes_[stack];
  for (uint32_t cube = 0; cube < stack_cubes_->size(); ++cube) push(cube, 0, 0);
  const auto worse = [](const Item& a, const Item& b) { return a.priority < b.priority; };
  std::ranges::make_heap(queue_, worse);
  float best = kForbidden;
  for (uint32_t accepted = 0;
       !queue_.empty() && (settings_.pop_limit == 0 || accepted < settings_.pop_limit);) {
    std::ranges::pop_heap(queue_, worse);
    Item item = queue_.back();
    queue_.pop_back();
    if (item.priority < best - settings_.beam_threshold) break;
    if (item.evaluated == kNone) {
      const size_t before = queue_.size();
      push_neighbors(item);
      for (size_t i = before; i < queue_.size(); ++i)
        std::push_heap(queue_.begin(), queue_.begin() + static_cast<std::ptrdiff_t>(i) + 1, worse);
      if (!evaluate(item)) continue;
      if (!queue_.empty() && item.priority < queue_.front().priority) {
        queue_.push_back(item);
        std::ranges::push_heap(queue_, worse);
        continue;
      }
    }
    best = std::max(best, item.priority);
    accept(item);
    ++accepted;
    ++popped_;
  }
}

/// A forbidden cell is passed over: those that would have been reached through it are tried in its stead.
void PhraseSearch::push(uint32_t number, uint32_t row, uint32_t column) {
  const Cube& cube = (*stack_cubes_)[number];
  const uint32_t rows = cube.last - cube.first;
  const size_t columns = chart_->entries()[cube.entry].options.size();
  const bool goes_down = column == 0;
  for (; row < rows; ++row, column = 0) {
    for (; column < columns; ++column)
      if (push_cell(number, row, column)) break;
    if (!goes_down || column == 0) return;
  }
}

bool PhraseSearch::push_cell(uint32_t number, uint32_t row, uint32_t column) {
  const Cube& cube = (*stack_cubes_)[number];
  const OptionEntry& entry = chart_->entries()[cube.entry];
  const uint32_t tail = order_[cube.first + row];
  const SearchNode& node = nodes_[tail];
  const Option& option = entry.options[column];
  const Step step{option, entry.range, coverages_[node.coverage]};
  const auto tails = states(tail);
  float priority = node.score + cube.extra + cube.rest + option.lead + optimism_;
  for (const size_t feature : cheap_)
    priority += sessions_[feature]->foresee(tails.subspan(feature, 1), step);
  if (priority > kForbidden) queue_.push_back({priority, number, row, column, kNone});
  return priority > kForbidden;
}

/// Each cell is reached on one way only: down the first column, then to the right.
void PhraseSearch::push_neighbors(const Item& item) {
  if (item.column == 0) push(item.cube, item.row + 1, 0);
  push(item.cube, item.row, item.column + 1);
}

bool PhraseSearch::evaluate(Item& item) {
  const Cube& cube = (*stack_cubes_)[item.cube];
  const OptionEntry& entry = chart_->entries()[cube.entry];
  const uint32_t tail = order_[cube.first + item.row];
  const Option& option = entry.options[item.column];
  const Step step{option, entry.range, coverages_[nodes_[tail].coverage]};
  const auto tails = states(tail);
  item.priority += option.score - option.lead - optimism_;
  const size_t first = evaluated_states_.size();
  for (const size_t feature : costly_) {
    const Transition next = sessions_[feature]->apply(tails.subspan(feature, 1), step);
    item.priority += next.score;
    evaluated_states_.push_back(next.state);
  }
  if (!(item.priority > kForbidden)) {
    evaluated_states_.resize(first);
    return false;
  }
  item.evaluated = static_cast<uint32_t>(first);
  return true;
}

void PhraseSearch::accept(const Item& item) {
  const Cube& cube = (*stack_cubes_)[item.cube];
  const OptionEntry& entry = chart_->entries()[cube.entry];
  const uint32_t tail = order_[cube.first + item.row];
  const Step step{entry.options[item.column], entry.range, coverages_[nodes_[tail].coverage]};
  size_t at = item.evaluated;
  for (const size_t feature : costly_) next_states_[feature] = evaluated_states_[at++];
  const auto tails = states(tail);
  for (const size_t feature : cheap_)
    next_states_[feature] = sessions_[feature]->apply(tails.subspan(feature, 1), step).state;

  const float score = item.priority - cube.rest;
  const auto edge = static_cast<uint32_t>(edges_.size());
  uint64_t key = mix(cube.coverage, entry.range.end);
  for (const uint32_t state : next_states_) key = mix(key, state);
  for (;; ++key) {
    const auto fresh = static_cast<uint32_t>(nodes_.size());
    const auto [number, is_new] = recombined_.insert(key, fresh);
    if (is_new) {
      nodes_.push_back({score, item.priority, cube.coverage, entry.range.end, edge});
      states_.insert(states_.end(), next_states_.begin(), next_states_.end());
      edges_.push_back({tail, cube.entry, item.column, score, kNone});
      return;
    }
    SearchNode& node = nodes_[number];
    if (node.coverage != cube.coverage || node.last_end != entry.range.end ||
        !std::ranges::equal(states(number), next_states_))
      continue;
    SearchEdge& best = edges_[node.edge];
    if (score > node.score) {
      node.score = score;
      node.estimate = item.priority;
      if (settings_.keep_all) {
        edges_.push_back({tail, cube.entry, item.column, score, node.edge});
        node.edge = edge;
      } else {
        best = {tail, cube.entry, item.column, score, kNone};
      }
    } else if (settings_.keep_all) {
      const uint32_t next = best.next;
      best.next = edge;
      edges_.push_back({tail, cube.entry, item.column, score, next});
    }
    return;
  }
}

/// Keeps the best nodes of a stack, groups them, and makes the cubes of later stacks.
void PhraseSearch::expand(uint32_t) {
  const auto first = static_cast<std::ptrdiff_t>(order_.size());
  for (uint32_t node = stack_begin_; node < nodes_.size(); ++node) order_.push_back(node);
  const auto better = [&](uint32_t a, uint32_t b) {
    return nodes_[a].estimate != nodes_[b].estimate ? nodes_[a].estimate > nodes_[b].estimate : a < b;
  };
  if (order_.size() - static_cast<size_t>(first) > settings_.stack_size) {
    std::nth_element(order_.begin() + first, order_.begin() + first + settings_.stack_size, order_.end(),
                     better);
    order_.resize(static_cast<size_t>(first) + settings_.stack_size);
  }
  const auto group = [&](uint32_t node) {
    return uint64_t{nodes_[node].coverage} << 32 | nodes_[node].last_end;
  };
  std::sort(order_.begin() + first, order_.end(), [&](uint32_t a, uint32_t b) {
    if (group(a) != group(b)) return group(a) < group(b);
    return nodes_[a].score != nodes_[b].score ? nodes_[a].score > nodes_[b].score : a < b;
  });
  for (auto begin = static_cast<size_t>(first); begin < order_.size();) {
    size_t end = begin + 1;
    while (end < order_.size() && group(order_[end]) == group(order_[begin])) ++end;
    expand_group(static_cast<uint32_t>(begin), static_cast<uint32_t>(end));
    begin = end;
  }
}

void PhraseSearch::expand_group(uint32_t first, uint32_t last) {
  const SearchNode& node = nodes_[order_[first]];
  const WordLattice& input = chart_->input();
  const bool limited = settings_.distortion_limit >= 0;
  const auto limit = static_cast<uint32_t>(settings_.distortion_limit);
  const uint32_t gap = coverages_[node.coverage].first_gap;
  for (uint32_t begin = gap; begin < chart_->columns(); ++begin) {
    const uint32_t jump = input.distance(node.last_end, begin);
    if (limited && jump > limit) {
      if (begin > node.last_end && input.is_sentence()) break;
      continue;
    }
    const float distortion =
        jump == WordLattice::kUnreachable ? kForbidden : -distortion_weight_ * static_cast<float>(jump);
    if (distortion == kForbidden) continue;
    for (const uint32_t number : chart_->beginning_at(begin)) {
      const OptionEntry& entry = chart_->entries()[number];
      if (limited && settings_.early_discard && begin != gap && input.distance(gap, entry.range.end) > limit)
        continue;
      const uint32_t next = extended(node.coverage, number);
      if (next == kNone) continue;
      const float rest = future(next) + future_distortion(next, entry.range.end);
      if (rest == kForbidden) continue;
      cubes_[coverages_[next].count].push_back(
          {first, last, number, next, distortion + entry.input_score, rest});
    }
  }
}

/// Gaps are filled from left to right: to the first of them, and from the end of each to the next (Moore and
/// Quirk 2007). Without it, jumps ahead look cheap until the jump back is made.
float PhraseSearch::future_distortion(uint32_t coverage, uint32_t last_end) {
  uint32_t at = last_end, jumps = 0;
  coverages_[coverage].for_each_gap(chart_->columns(), [&](Range gap) {
    const uint32_t jump = chart_->input().distance(at, gap.begin);
    if (jump != WordLattice::kUnreachable) jumps += jump;
    at = gap.end;
  });
  return -distortion_weight_ * static_cast<float>(jumps);
}

uint32_t PhraseSearch::extended(uint32_t coverage, uint32_t entry) {
  const auto [next, is_new] = extended_.insert(uint64_t{coverage} << 32 | entry, kNone);
  if (is_new) {
    const Range range = chart_->entries()[entry].range;
    if (!coverages_[coverage].overlaps(range)) next = coverages_.add(coverage, range);
  }
  return next;
}

void PhraseSearch::finish() {
  for (uint32_t number = stack_begin_; number < nodes_.size(); ++number) {
    float score = nodes_[number].score;
    for (size_t feature = 0; feature < features_; ++feature)
      score += sessions_[feature]->finish(states(number)[feature]);
    if (score > kForbidden) complete_.push_back({number, score});
  }
  std::ranges::stable_sort(complete_, [](const Complete& a, const Complete& b) { return a.score > b.score; });
}

}  // namespace tunesmith
