#include "tunesmith/decode/event_reader.h"

#include <algorithm>
#include <string>

#include "tunesmith/base/errors.h"

namespace tunesmith::decode {

namespace {

/// Files may have any numbers, and the words of a sentence are listed by column.
constexpr int32_t kMaxColumns = 1 << 20;

bool has_gap(std::span<const grammar::Symbol> symbols) {
  return std::ranges::any_of(symbols, grammar::is_gap);
}

}  // namespace

void EventReader::add(const forest::Derivation& derivation) {
  reader_.read(derivation.edges);
  numbers_.clear();
  const size_t first = events_.steps.edges.size();
  const bool phrases = is_of_phrases();
  if (phrases)
    find_phrases();
  else
    find_rules();
  EventSteps& steps = events_.steps;
  for (const uint32_t number : numbers_) {
    if (phrases)
      add_step(number, reader_.adds_phrase(number), -1, -1);
    else
      add_step(number, false, parent_of_[number] < 0 ? -1 : step_of_[static_cast<size_t>(parent_of_[number])],
               gap_of_[number]);
  }
  const std::span<const forest::SourceSpan> sources = std::span(steps.sources).subspan(first);
  for (const forest::SourceSpan span : sources)
    if (span.end > kMaxColumns)
      throw InputError("an edge ends at column " + std::to_string(span.end) + "; expected at most " +
                       std::to_string(kMaxColumns));
  bool oriented = false;
  if (phrases)
    oriented = orientations_.read(sources, std::span(steps.targets).subspan(first), steps.orientations,
                                  steps.blocks);
  steps.orientations.resize(steps.edges.size());
  steps.blocks.resize(steps.edges.size());
  add_source_words(first);
  auto& words = events_.target_words;
  words.values.insert(words.values.end(), reader_.words().begin(), reader_.words().end());
  words.close();
  events_.scores.push_back(derivation.score);
  events_.of_phrases.push_back(oriented);
  events_.step_offsets.push_back(static_cast<int64_t>(steps.edges.size()));
}

DerivationEvents EventReader::take() {
  events_.lists.push_back(static_cast<int64_t>(events_.size()));
  return std::move(events_);
}

bool EventReader::is_of_phrases() const {
  const forest::DerivationTree& tree = reader_.tree();
  for (size_t number = 0; number < tree.size(); ++number) {
    if (has_gap(forest_.rules().sources[forest_.rule(tree.edge(number))])) return false;
    if (!forest_.tails(tree.edge(number)).empty() && !reader_.adds_phrase(number)) return false;
  }
  return true;
}

/// In target order, which is from the lowest edge up.
void EventReader::find_phrases() {
  for (size_t number = reader_.tree().size(); number-- > 0;) {
    const forest::SourceSpan source = reader_.source(number), target = reader_.added_target(number);
    const bool has_columns = forest::is_known(source) && source.begin < source.end;
    if (has_columns || target.begin < target.end) numbers_.push_back(static_cast<uint32_t>(number));
  }
}

void EventReader::find_rules() {
  const forest::DerivationTree& tree = reader_.tree();
  numbers_.assign(reader_.order().begin(), reader_.order().end());
  step_of_.resize(tree.size());
  parent_of_.assign(tree.size(), -1);
  gap_of_.assign(tree.size(), -1);
  for (size_t step = 0; step < numbers_.size(); ++step) step_of_[numbers_[step]] = static_cast<int32_t>(step);
  for (size_t number = 0; number < tree.size(); ++number)
    for (size_t gap = 0; gap < forest_.tails(tree.edge(number)).size(); ++gap) {
      const uint32_t below = tree.tail(number, gap);
      parent_of_[below] = static_cast<int32_t>(number);
      gap_of_[below] = static_cast<int32_t>(gap);
    }
}

void EventReader::add_step(size_t number, bool is_phrase, int32_t parent, int32_t gap) {
  EventSteps& steps = events_.steps;
  const uint32_t edge = reader_.tree().edge(number);
  steps.edges.push_back(edge);
  steps.rules.push_back(rule(forest_.rule(edge), is_phrase));
  steps.sources.push_back(reader_.source(number));
  steps.targets.push_back(is_phrase ? reader_.added_target(number) : reader_.target(number));
  steps.parents.push_back(parent);
  steps.gaps.push_back(gap);
  reader_.for_each_link(number, [&](corpus::Link link) { steps.links.values.push_back(link); });
  steps.links.close();
}

/// Writes the words of each step to their columns; a word fills the columns up to the next symbol.
void EventReader::add_source_words(size_t first_step) {
  const EventSteps& steps = events_.steps;
  auto& rows = events_.source_words;
  int32_t columns = 0;
  for (size_t i = first_step; i < steps.sources.size(); ++i)
    columns = std::max(columns, steps.sources[i].end);
  const size_t begin = rows.values.size();
  rows.values.resize(begin + static_cast<size_t>(columns), -1);
  for (const uint32_t number : numbers_) {
    const forest::SourceSpan span = reader_.source(number);
    const auto side = forest_.rules().sources[forest_.rule(reader_.tree().edge(number))];
    const auto at = reader_.source_columns(number);
    for (size_t i = 0; i < side.size(); ++i) {
      if (grammar::is_gap(side[i]) || at[i] < 0) continue;
      int64_t end = span.end;
      if (i + 1 < side.size())
        end = grammar::is_gap(side[i + 1])
                  ? reader_.source(reader_.tree().tail(number, grammar::gap_index(side[i + 1]))).begin
                  : at[i] + 1;
      for (int64_t column = at[i]; column < std::min<int64_t>(end, span.end); ++column)
        rows.values[begin + static_cast<size_t>(column)] = side[i];
    }
  }
  rows.close();
}

int32_t EventReader::rule(uint32_t forest_rule, bool is_phrase) {
  int32_t& number = rules_[2 * size_t{forest_rule} + (is_phrase ? 1 : 0)];
  if (number >= 0) return number;
  EventRules& rules = events_.rules;
  const forest::ForestRules& from = forest_.rules();
  number = static_cast<int32_t>(rules.size());
  const auto source = from.sources[forest_rule];
  const auto target = from.targets[forest_rule].subspan(is_phrase ? 1 : 0);
  rules.sources.values.insert(rules.sources.values.end(), source.begin(), source.end());
  rules.targets.values.insert(rules.targets.values.end(), target.begin(), target.end());
  for (const corpus::Link link : from.links[forest_rule])
    rules.links.values.push_back({link.source, link.target - (is_phrase ? 1 : 0)});
  rules.ids.push_back(from.ids[forest_rule]);
  rules.sources.close();
  rules.targets.close();
  rules.links.close();
  return number;
}

}  // namespace tunesmith::decode
