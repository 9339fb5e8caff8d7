#include "tunesmith/decode/phrase/search.h"

#include <algorithm>
#include <cmath>

#include "tunesmith/base/text.h"
#include "tunesmith/decode/edge_lists.h"

namespace tunesmith::decode::phrase {

namespace {

constexpr size_t kKeptCubes = 1 << 12;  // memory kept per stack for the next sentence
constexpr uint32_t kKeptStacks = 256;   // stacks beyond them, of long sentences, keep no memory

}  // namespace

PhraseSearch::PhraseSearch(const WeightedModel& model, const PhraseSearchOptions& options)
    : options_(options),
      features_(model.model().features().size()),
      distortion_weight_(model.weight(Penalty::kDistortion)),
      distortion_cost_(model.model().distortion_cost()),
      next_states_(features_) {
  for (const auto& feature : model.model().features()) {
    (feature.feature->has_lookahead() ? cheap_ : costly_).push_back(sessions_.size());
    if (!feature.feature->has_lookahead()) optimism_ += feature.feature->optimism(model.weights(feature));
    sessions_.push_back(feature.feature->session(model.weights(feature), feature.prepared));
  }
}

void PhraseSearch::run(const SourceOptions& source_options) {
  early_discard_ = options_.early_discard;
  peak_bytes_ = 0;
  search(source_options);
  if (!complete_.empty() || early_discard_ || options_.distortion_limit < 0) return;
  early_discard_ = true;  // all hypotheses ended with a gap out of reach
  search(source_options);
}

void PhraseSearch::search(const SourceOptions& source_options) {
  begin(source_options);
  for (uint32_t stack = 0; stack < source_options.columns(); ++stack) {
    search_stack(stack);
    expand();
  }
  search_stack(source_options.columns());
  finish();
}

void PhraseSearch::begin(const SourceOptions& source_options) {
  source_options_ = &source_options;
  coverages_.clear();
  future_costs_.clear();
  extended_.clear();
  nodes_.clear();
  states_.clear();
  edges_.clear();
  edge_scores_.clear();
  order_.clear();
  complete_.clear();
  for (auto& cubes : cubes_) cubes.clear();
  cube_bytes_ = 0;
  polls_ = 0;  // the search of a sentence does not depend on those before it
  cubes_.resize(std::max<size_t>(cubes_.size(), source_options.columns() + 1));
  for (const auto& session : sessions_) {
    session->begin(source_options.decoder_input());
    states_.push_back(session->start());
  }
  nodes_.push_back({0, future_cost(0), 0, 0, kNone});
  stack_begin_ = 0;
}

void PhraseSearch::pause() {
  if (poll_) poll_();
  check_memory();
}

void PhraseSearch::check_memory() {
  peak_bytes_ = std::max(peak_bytes_, bytes());
  source_options_->check_memory(peak_bytes_);
}

/// The future cost of a coverage: that of all gaps, and of the jumps between gaps, filled from left to right
/// (Moore and Quirk 2007). Without the jumps, leaving gaps behind looks cheap until the jump back is made.
float PhraseSearch::future_cost(uint32_t coverage) {
  if (coverage < future_costs_.size() && !std::isnan(future_costs_[coverage])) return future_costs_[coverage];
  if (coverage >= future_costs_.size())
    future_costs_.resize(coverage + 1, std::numeric_limits<float>::quiet_NaN());
  const Coverage set = coverages_[coverage];
  float sum = 0;
  uint32_t at = set.first_gap;
  set.for_each_gap(source_options_->columns(), [&](Range gap) {
    sum += source_options_->future_cost(gap) - jump_cost(at, gap.begin);
    at = gap.end;
  });
  return future_costs_[coverage] = sum;
}

/// The weighted distortion of a step from a node; its range must be reachable.
float PhraseSearch::step_cost(const SearchNode& node, uint32_t first_gap, Range range) const {
  return distortion_weight_ * static_cast<float>(distortion_cost(distortion_cost_, source_options_->input(),
                                                                 first_gap, node.last_end, range));
}

/// The weighted distortion of a later jump to the first gap. Early costs of it were paid when the gap was
/// left. 0 if `to` is unreachable: then the future cost of the gap is already -inf.
float PhraseSearch::jump_cost(uint32_t from, uint32_t to) const {
  if (distortion_cost_ == DistortionCost::kEarly) return 0;
  const uint32_t jump = source_options_->input().distance(from, to);
  return jump == corpus::WordLattice::kUnreachable ? 0 : distortion_weight_ * static_cast<float>(jump);
}

/// Makes the hypotheses of a stack from its cubes.
void PhraseSearch::search_stack(uint32_t stack) {
  if (stack > 0) stack_begin_ = static_cast<uint32_t>(nodes_.size());
  recombined_.clear();
  queue_.clear();
  evaluated_states_.clear();
  stack_cubes_ = &cubes_[stack];
  for (uint32_t cube = 0; cube < stack_cubes_->size(); ++cube) {
    poll();
    push(cube, 0, 0);
  }
  pop_lazily(
      queue_, heap_, {options_.pop_limit, options_.beam_threshold},
      [&](const Item& item) { push_neighbors(item); }, [&](Item& item) { return poll(), evaluate(item); },
      [&](const Item& item) { accept(item); });
  check_memory();
  release_cubes(stack);
}

/// Counts the memory of a vector that doubles: see held_bytes.h.
void PhraseSearch::add_cube(uint32_t stack, const Cube& cube) {
  std::vector<Cube>& cubes = cubes_[stack];
  const size_t size = cubes.size();
  if ((size & (size - 1)) == 0) cube_bytes_ += std::max<size_t>(size, 1) * sizeof(Cube);
  cubes.push_back(cube);
}

/// Releases the memory of many cubes, or of a stack that few sentences reach.
void PhraseSearch::release_cubes(uint32_t stack) {
  std::vector<Cube>& cubes = cubes_[stack];
  if (cubes.capacity() <= kKeptCubes && stack < kKeptStacks) return;
  cube_bytes_ -= held_bytes(cubes);
  std::vector<Cube>().swap(cubes);
}

/// Skips forbidden cells: the cells after them are tried instead.
void PhraseSearch::push(uint32_t number, uint32_t row, uint32_t column) {
  const Cube& cube = (*stack_cubes_)[number];
  const uint32_t rows = cube.last - cube.first;
  const size_t columns = source_options_->entries()[cube.entry].options.size();
  const bool goes_down = column == 0;
  for (; row < rows; ++row, column = 0) {
    for (; column < columns; ++column)
      if (push_cell(number, row, column)) break;
    if (!goes_down || column == 0) return;
  }
}

bool PhraseSearch::push_cell(uint32_t number, uint32_t row, uint32_t column) {
  const Cube& cube = (*stack_cubes_)[number];
  const OptionEntry& entry = source_options_->entries()[cube.entry];
  const uint32_t tail = order_[cube.first + row];
  const SearchNode& node = nodes_[tail];
  const Option& option = entry.options[column];
  const Step step{option, entry.range, coverages_[node.coverage]};
  const auto tails = states(tail);
  double priority = node.score + cube.extra + cube.future_cost + option.sort_score + optimism_;
  for (const size_t feature : cheap_)
    priority += sessions_[feature]->lookahead(tails.subspan(feature, 1), step);
  if (priority > kForbiddenScore) queue_.push_back({priority, number, row, column, kNone});
  return priority > kForbiddenScore;
}

/// Each cell has exactly one predecessor: down the first column, then to the right.
void PhraseSearch::push_neighbors(const Item& item) {
  if (item.column == 0) push(item.cube, item.row + 1, 0);
  push(item.cube, item.row, item.column + 1);
}

bool PhraseSearch::evaluate(Item& item) {
  const Cube& cube = (*stack_cubes_)[item.cube];
  const OptionEntry& entry = source_options_->entries()[cube.entry];
  const uint32_t tail = order_[cube.first + item.row];
  const Option& option = entry.options[item.column];
  const Step step{option, entry.range, coverages_[nodes_[tail].coverage]};
  const auto tails = states(tail);
  item.priority += option.score - option.sort_score - optimism_;
  const size_t first = evaluated_states_.size();
  for (const size_t feature : costly_) {
    const Transition next = sessions_[feature]->apply(tails.subspan(feature, 1), step);
    item.priority += next.score;
    evaluated_states_.push_back(next.state);
  }
  if (!(item.priority > kForbiddenScore)) {
    evaluated_states_.resize(first);
    return false;
  }
  item.evaluated = static_cast<uint32_t>(first);
  return true;
}

void PhraseSearch::accept(const Item& item) {
  const Cube& cube = (*stack_cubes_)[item.cube];
  const OptionEntry& entry = source_options_->entries()[cube.entry];
  const uint32_t tail = order_[cube.first + item.row];
  const Step step{entry.options[item.column], entry.range, coverages_[nodes_[tail].coverage]};
  size_t at = item.evaluated;
  for (const size_t feature : costly_) next_states_[feature] = evaluated_states_[at++];
  const auto tails = states(tail);
  for (const size_t feature : cheap_)
    next_states_[feature] = sessions_[feature]->apply(tails.subspan(feature, 1), step).state;

  const SearchEdge edge{tail, cube.entry, item.column, kNone};
  const double score = item.priority - cube.future_cost;
  if (options_.keep_scores) edge_scores_.push_back(score - nodes_[tail].score);
  uint64_t key = mix(cube.coverage, entry.range.end);
  for (const uint32_t state : next_states_) key = mix(key, state);
  for (;; ++key) {
    const auto fresh = static_cast<uint32_t>(nodes_.size());
    const auto [number, is_new] = recombined_.insert(key, fresh);
    if (is_new) {
      nodes_.push_back(
          {score, item.priority, cube.coverage, entry.range.end, static_cast<uint32_t>(edges_.size())});
      states_.insert(states_.end(), next_states_.begin(), next_states_.end());
      edges_.push_back(edge);
      return;
    }
    const SearchNode& node = nodes_[number];
    if (node.coverage == cube.coverage && node.last_end == entry.range.end &&
        std::ranges::equal(states(number), next_states_))
      return add_edge(number, edge, score, item.priority);
  }
}

/// Adds an edge to an existing node; the best edge stays first.
void PhraseSearch::add_edge(uint32_t number, const SearchEdge& edge, double score, double estimate) {
  SearchNode& node = nodes_[number];
  const bool is_best = score > node.score;
  if (is_best) {
    node.score = score;
    node.estimate = estimate;
  }
  link_edge(edges_, node.edge, edge, is_best, options_.keep_all);
}

/// Keeps the best nodes of a stack, groups them by coverage and end, and makes the cubes of later stacks.
void PhraseSearch::expand() {
  const size_t first = order_.size();
  keep_best(first);
  const auto group = [&](uint32_t node) {
    return uint64_t{nodes_[node].coverage} << 32 | nodes_[node].last_end;
  };
  std::sort(order_.begin() + static_cast<std::ptrdiff_t>(first), order_.end(), [&](uint32_t a, uint32_t b) {
    if (group(a) != group(b)) return group(a) < group(b);
    return nodes_[a].score != nodes_[b].score ? nodes_[a].score > nodes_[b].score : a < b;
  });
  extended_.clear();
  for (size_t begin = first; begin < order_.size();) {
    size_t end = begin + 1;
    while (end < order_.size() && group(order_[end]) == group(order_[begin])) ++end;
    expand_group(static_cast<uint32_t>(begin), static_cast<uint32_t>(end));
    begin = end;
  }
  check_memory();
}

/// Appends the nodes of the stack to the order, pruned by beam threshold and stack size.
void PhraseSearch::keep_best(size_t first) {
  double best = kForbiddenScore;
  for (uint32_t node = stack_begin_; node < nodes_.size(); ++node)
    best = std::max(best, nodes_[node].estimate);
  for (uint32_t node = stack_begin_; node < nodes_.size(); ++node)
    if (nodes_[node].estimate >= best - static_cast<double>(options_.beam_threshold)) order_.push_back(node);
  const size_t limit = first + options_.stack_size;
  if (order_.size() <= limit) return;
  std::nth_element(
      order_.begin() + static_cast<std::ptrdiff_t>(first),
      order_.begin() + static_cast<std::ptrdiff_t>(limit), order_.end(), [&](uint32_t a, uint32_t b) {
        return nodes_[a].estimate != nodes_[b].estimate ? nodes_[a].estimate > nodes_[b].estimate : a < b;
      });
  order_.resize(limit);
}

void PhraseSearch::expand_group(uint32_t first, uint32_t last) {
  const SearchNode& node = nodes_[order_[first]];
  const corpus::WordLattice& input = source_options_->input();
  const bool limited = options_.distortion_limit >= 0;
  const auto limit = static_cast<uint32_t>(options_.distortion_limit);
  const uint32_t gap = coverages_[node.coverage].first_gap;
  for (uint32_t begin = gap; begin < source_options_->columns(); ++begin) {
    poll();
    const uint32_t jump = input.distance(node.last_end, begin);
    if (limited && jump > limit) {
      if (begin > node.last_end && input.is_sentence()) break;
      continue;
    }
    if (jump == corpus::WordLattice::kUnreachable) continue;
    for (const uint32_t number : source_options_->beginning_at(begin)) {
      const OptionEntry& entry = source_options_->entries()[number];
      if (limited && early_discard_ && begin != gap && input.distance(gap, entry.range.end) > limit) continue;
      const uint32_t next = extended(node.coverage, number);
      if (next == kNone) continue;
      if (limited && !early_discard_ && is_dead(next, entry.range.end)) continue;
      const uint32_t next_gap = coverages_[next].first_gap;
      const float future = future_cost(next) -
                           (next_gap < source_options_->columns() ? jump_cost(entry.range.end, next_gap) : 0);
      if (future == kForbiddenScore) continue;
      add_cube(coverages_[next].count,
               {first, last, number, next, entry.input_score - step_cost(node, gap, entry.range), future});
    }
  }
}

/// Whether the first gap can never be reached again: each jump back goes to an uncovered column within the
/// limit of the last end, and at best the phrase there covers only this column.
bool PhraseSearch::is_dead(uint32_t number, uint32_t last_end) const {
  if (!source_options_->input().is_sentence()) return false;
  const auto limit = static_cast<uint32_t>(options_.distortion_limit);
  const Coverage coverage = coverages_[number];
  for (uint32_t at = last_end; at > coverage.first_gap + limit;) {
    uint32_t column = at - limit;
    while (column < at && coverage.contains(column)) ++column;
    if (column + 1 >= at) return true;
    at = column + 1;
  }
  return false;
}

uint32_t PhraseSearch::extended(uint32_t coverage, uint32_t entry) {
  const auto [next, is_new] = extended_.insert(uint64_t{coverage} << 32 | entry, kNone);
  if (is_new) {
    const Range range = source_options_->entries()[entry].range;
    if (!coverages_[coverage].overlaps(range)) next = coverages_.add(coverage, range);
  }
  return next;
}

void PhraseSearch::finish() {
  for (uint32_t number = stack_begin_; number < nodes_.size(); ++number) {
    double score = nodes_[number].score;
    for (size_t feature = 0; feature < features_; ++feature)
      score += sessions_[feature]->finish(states(number)[feature]);
    if (score > kForbiddenScore) complete_.push_back({number, score});
  }
  std::ranges::stable_sort(complete_, [](const Complete& a, const Complete& b) { return a.score > b.score; });
}

/// Memory of the search and of the options of the sentence. O(1).
size_t PhraseSearch::bytes() const {
  return source_options_->bytes() + bytes_of(sessions_) + coverages_.bytes() + held_bytes(future_costs_) +
         extended_.bytes() + held_bytes(nodes_) + held_bytes(states_) + held_bytes(edges_) +
         held_bytes(edge_scores_) + held_bytes(order_) + cube_bytes_ + held_bytes(queue_) + heap_.bytes() +
         held_bytes(evaluated_states_) + recombined_.bytes();
}

}  // namespace tunesmith::decode::phrase
