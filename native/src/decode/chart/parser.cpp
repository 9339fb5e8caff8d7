#include "tunesmith/decode/chart/parser.h"

#include <algorithm>
#include <iterator>

#include "tunesmith/base/errors.h"
#include "tunesmith/grammar/rule.h"

namespace tunesmith::decode::chart {

ChartParser::ChartParser(const corpus::WordLattice& input,
                         std::span<const std::unique_ptr<RuleSource>> sources,
                         const std::vector<std::vector<float>>& arc_scores)
    : input_(input),
      sources_(sources),
      arc_scores_(arc_scores),
      words_(input.columns()),
      given_(input.columns()) {
  for (uint32_t column = 0; column < input.columns(); ++column)
    for (const corpus::LatticeArc& arc : input.arcs(column)) {
      auto& numbers = words_[column].emplace_back();
      for (const auto& source : sources) numbers.push_back(source->find_word(arc.word));
    }
  for (const auto& source : sources) source->gaps(RuleSource::kRoot, 0, first_gaps_.emplace_back());
}

void ChartParser::add(uint32_t column, uint32_t arc, uint32_t category,
                      std::shared_ptr<const OptionList> list) {
  given_[column].push_back({arc, category, std::move(list)});
}

/// Ranks categories by unary rules (of one gap alone): the cell of the gap must be made before the other.
void ChartParser::order_categories() {
  struct Edge {
    uint32_t from, to;
  };
  std::vector<Edge> edges;
  uint32_t count = 0;
  for (size_t i = 0; i < sources_.size(); ++i)
    for (const auto& [category, node] : first_gaps_[i]) {
      rules_.clear();
      sources_[i]->rules(node, rules_, chart_->kept);
      for (const auto& rules : rules_) {
        edges.push_back({category, rules.category});
        count = std::max({count, category + 1, rules.category + 1});
      }
    }
  ranks_.assign(count, 0);
  for (uint32_t round = 0; round <= count; ++round) {
    bool changed = false;
    for (const auto& [from, to] : edges)
      if (ranks_[to] <= ranks_[from]) {
        ranks_[to] = ranks_[from] + 1;
        changed = true;
      }
    if (!changed) return;
  }
  throw InputError("rules of one gap alone lead from a category back to itself, without end");
}

void ChartParser::parse(uint32_t goal, RuleChart& chart, const std::function<void()>& poll,
                        size_t memory_limit) {
  chart_ = &chart;
  poll_ = poll;
  memory_limit_ = memory_limit;
  order_categories();
  const uint32_t columns = input_.columns();
  cells_.assign(columns, {});
  arriving_.assign(columns + 1, {});
  waiting_.assign(columns + 1, {});
  waiting_columns_.clear();
  begin_ = furthest_ = 0;
  for (uint32_t column = columns; column-- > 0;) {
    begin(column);
    for (uint32_t end = column + 1; end <= furthest_; ++end) {
      found_.clear();
      for (const Dot& dot : arriving_[end]) arrive(dot, end);
      fill_gaps(end);
      close(end);
    }
  }
  chart.check_memory(chart.bytes(), memory_limit);
  mark_needed(goal);
}

/// Starts a left border with the words that begin there.
void ChartParser::begin(uint32_t column) {
  // Clears only what the last left border used: there may be many columns.
  for (uint32_t end = begin_ + 1; end <= furthest_; ++end) arriving_[end].clear();
  for (const uint32_t middle : waiting_columns_) waiting_[middle].clear();
  waiting_columns_.clear();
  begin_ = furthest_ = column;
  for (uint32_t source = 0; source < sources_.size(); ++source)
    scan({source, RuleSource::kRoot, 0, kNoNumber, 0}, column);
  for (const Given& given : given_[column])
    furthest_ = std::max(furthest_, input_.arcs(column)[given.arc].end);
}

/// Appends a matched symbol; returns its number.
uint32_t ChartParser::place(const PlacedSymbol& symbol) {
  chart_->symbols.push_back(symbol);
  return static_cast<uint32_t>(chart_->symbols.size()) - 1;
}

/// Extends a dotted side by the words that begin at a column.
void ChartParser::scan(const Dot& dot, uint32_t column) {
  const auto& arcs = input_.arcs(column);
  for (uint32_t arc = 0; arc < arcs.size(); ++arc) {
    const int32_t word = words_[column][arc][dot.source];
    if (word < 0 || !is_within(dot.source, arcs[arc].end)) continue;
    const uint32_t node = sources_[dot.source]->by_word(dot.node, word);
    if (node == RuleSource::kNoNode) continue;
    const uint32_t symbol = place({dot.last_symbol, column, arc, kNoNumber});
    arriving_[arcs[arc].end].push_back(
        {dot.source, node, dot.arity, symbol, dot.score + arc_scores_[column][arc]});
    furthest_ = std::max(furthest_, arcs[arc].end);
  }
}

bool ChartParser::is_within(uint32_t source, uint32_t end) const {
  const uint32_t limit = sources_[source]->span_limit();
  return limit == 0 || input_.distance(begin_, end) <= limit;
}

/// Updates `furthest_` for a source side with a gap.
void ChartParser::reach(uint32_t source, uint32_t end) {
  const uint32_t limit = sources_[source]->span_limit();
  const bool is_limited = limit > 0 && input_.is_sentence();
  furthest_ =
      std::max({furthest_, end, is_limited ? std::min(begin_ + limit, input_.columns()) : input_.columns()});
}

/// Called for every dotted side: one column alone may have millions of them.
void ChartParser::pause() {
  if (++arrived_ % kPauseEvery != 0) return;
  if (poll_) poll_();
  chart_->check_memory(chart_->bytes(), memory_limit_);
}

/// Handles a dotted side that ends at a column: records its rules, and scans or waits for its next symbols.
void ChartParser::arrive(const Dot& dot, uint32_t end) {
  pause();
  const RuleSource& source = *sources_[dot.source];
  rules_.clear();
  source.rules(dot.node, rules_, chart_->kept);
  if (!rules_.empty()) {
    auto& tails = chart_->tails;
    const auto first = static_cast<uint32_t>(tails.size());
    for (uint32_t at = dot.last_symbol; at != kNoNumber; at = chart_->symbols[at].before)
      if (chart_->symbols[at].cell != kNoNumber) tails.push_back(chart_->symbols[at].cell);
    std::reverse(tails.begin() + first, tails.end());
    const std::span<const uint32_t> own(tails.data() + first, dot.arity);
    for (const auto& [category, options] : rules_)
      if (const auto allowed = within_borders(options, own, end); !allowed.empty())
        found_.push_back({category, {allowed, first, dot.arity, dot.last_symbol, dot.score}});
  }
  if (end == input_.columns()) return;
  scan(dot, end);
  gaps_.clear();
  source.gaps(dot.node, dot.arity, gaps_);
  if (gaps_.empty()) return;
  if (waiting_[end].empty()) waiting_columns_.push_back(end);
  reach(dot.source, end);
  for (const auto& [category, node] : gaps_)
    waiting_[end].push_back({{dot.source, node, dot.arity + 1, dot.last_symbol, dot.score}, category});
}

/// The options that keep the sentence markers at the ends: a constituent with the begin marker stays first,
/// one with the end marker stays last, and the end marker can only be added to one with the begin marker.
/// Otherwise n-gram scores at the ends would be undefined.
std::span<const Option> ChartParser::within_borders(std::span<const Option> options,
                                                    std::span<const uint32_t> tails, uint32_t end) {
  if (tails.empty()) return options;
  const bool begins = chart_->cells[tails.front()].range.begin == 0;
  const bool ends = chart_->cells[tails.back()].range.end == input_.columns();
  const auto is_allowed = [&](const Option& option) {
    if (option.border == grammar::Border::kEnd) return begin_ == 0;
    const bool is_first = !option.words.empty() && option.words.front() == grammar::gap_symbol(0);
    const bool is_last =
        !option.words.empty() && option.words.back() == grammar::gap_symbol(tails.size() - 1);
    return (!begins || is_first) && (!ends || is_last);
  };
  if (!begins && end < input_.columns()) return options;
  if (std::ranges::all_of(options, is_allowed)) return options;
  auto allowed = std::make_unique<std::vector<Option>>();
  std::ranges::copy_if(options, std::back_inserter(*allowed), is_allowed);
  chart_->allowed.push_back(std::move(allowed));
  return *chart_->allowed.back();
}

/// Fills the gaps of waiting sides by the constituents that end at a column.
void ChartParser::fill_gaps(uint32_t end) {
  for (size_t i = 0; i < waiting_columns_.size() && waiting_columns_[i] < end; ++i) {
    const uint32_t middle = waiting_columns_[i];
    const Range range = cells(middle, end);
    if (range.size() == 0) continue;
    for (const Waiting& waiting : waiting_[middle]) {
      if (!is_within(waiting.dot.source, end)) continue;
      for (uint32_t cell = range.begin; cell < range.end; ++cell) {
        if (chart_->cells[cell].category != waiting.category) continue;
        Dot dot = waiting.dot;
        dot.last_symbol = place({dot.last_symbol, middle, 0, cell});
        arrive(dot, end);
      }
    }
  }
}

/// Makes the cells of the current range.
void ChartParser::close(uint32_t end) {
  for (const Given& given : given_[begin_]) {
    if (input_.arcs(begin_)[given.arc].end != end) continue;
    const uint32_t symbol = place({kNoNumber, begin_, given.arc, kNoNumber});
    chart_->kept.add_own(given.list, given.list->bytes());
    found_.push_back({given.category, {given.list->options, 0, 0, symbol, arc_scores_[begin_][given.arc]}});
  }
  if (found_.empty()) return;
  const auto first = static_cast<uint32_t>(chart_->cells.size());
  const auto rank = [&](uint32_t category) { return category < ranks_.size() ? ranks_[category] : 0; };
  const auto before = [&](const Found& a, const Found& b) {
    return rank(a.category) != rank(b.category) ? rank(a.category) < rank(b.category)
                                                : a.category < b.category;
  };
  while (!found_.empty()) make_cell(std::ranges::min_element(found_, before)->category, end);
  auto& row = cells_[begin_];
  row.resize(std::max<size_t>(row.size(), end - begin_));
  row[end - begin_ - 1] = {first, static_cast<uint32_t>(chart_->cells.size())};
}

/// Makes the cell of a category, and begins the source sides that have it as their first gap.
void ChartParser::make_cell(uint32_t category, uint32_t end) {
  const auto number = static_cast<uint32_t>(chart_->cells.size());
  ChartCell made{{begin_, end}, category, static_cast<uint32_t>(chart_->uses.size()), 0};
  for (const Found& found : found_)
    if (found.category == category) chart_->uses.push_back(found.use);
  std::erase_if(found_, [&](const Found& found) { return found.category == category; });
  made.last = static_cast<uint32_t>(chart_->uses.size());
  chart_->cells.push_back(made);
  for (uint32_t source = 0; source < sources_.size(); ++source) {
    if (!is_within(source, end)) continue;
    for (const auto& gap : first_gaps_[source]) {
      if (gap.category != category) continue;
      arrive({source, gap.node, 1, place({kNoNumber, begin_, 0, number}), 0}, end);
    }
  }
}

void ChartParser::mark_needed(uint32_t goal) {
  auto& cells = chart_->cells;
  const Range whole = input_.columns() > 0 ? this->cells(0, input_.columns()) : Range{};
  uint32_t found = kNoNumber;
  for (uint32_t cell = whole.begin; cell < whole.end; ++cell)
    if (cells[cell].category == goal) found = cell;
  cells.resize(found == kNoNumber ? 0 : found + 1);  // cells after the goal are not part of it
  if (cells.empty()) return;
  cells.back().is_needed = true;
  for (size_t cell = cells.size(); cell-- > 0;) {
    if (!cells[cell].is_needed) continue;
    for (uint32_t use = cells[cell].first; use < cells[cell].last; ++use)
      for (const uint32_t tail : chart_->tails_of(chart_->uses[use])) cells[tail].is_needed = true;
  }
}

}  // namespace tunesmith::decode::chart
