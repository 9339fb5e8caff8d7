#include "tunesmith/grammar/from_memory.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"

namespace tunesmith::grammar {

namespace {

constexpr size_t kMaxOffset = std::numeric_limits<uint32_t>::max();

/// Throws InputError if the row would overflow the 32-bit offsets of rows.
template <class T>
void check_room(const Rows<T>& rows, std::span<const T> row) {
  if (rows.values.size() + row.size() >= kMaxOffset)
    throw InputError(
        "a grammar in memory is too large; expected fewer than 2^32 symbols and features of rules");
}

/// Counting sort of items by node: calls place(item, position), and returns the first position of each node.
template <class Place>
std::vector<uint32_t> group(size_t nodes, const std::vector<uint32_t>& node_of, Place place) {
  std::vector<uint32_t> begins(nodes + 1);
  for (const uint32_t node : node_of) ++begins[node + 1];
  for (size_t node = 0; node < nodes; ++node) begins[node + 1] += begins[node];
  std::vector<uint32_t> next(begins.begin(), begins.end() - 1);
  for (uint32_t item = 0; item < node_of.size(); ++item) place(item, next[node_of[item]]++);
  return begins;
}

}  // namespace

void MemoryGrammar::rules(uint32_t node, RuleRows& rows) const {
  for (uint32_t at = begins_[node]; at < begins_[node + 1]; ++at) {
    const uint32_t rule = order_[at];
    rows.numbers.push_back(rule);
    rows.categories.push_back(rules_.categories[rule]);
    rows.borders.push_back(rules_.borders[rule]);
    rows.targets.add(rules_.targets[rule]);
    rows.links.add(rules_.links[rule]);
    rows.values.add(rules_.values[rule]);
  }
}

std::vector<Symbol> MemoryGrammar::source(uint32_t node) const {
  std::vector<Symbol> side;
  for (; node != kRoot; node = parents_[node]) side.push_back(symbols_[node]);
  std::reverse(side.begin(), side.end());
  size_t gaps = 0;
  for (Symbol& symbol : side)
    if (is_gap(symbol)) symbol = gap_symbol(gaps++);
  return side;
}

void MemoryGrammarBuilder::add(const TrieRule& rule) {
  check(rule);
  RuleRows& rules = grammar_->rules_;
  nodes_.push_back(node_of(rule.source));
  rules.numbers.push_back(static_cast<uint32_t>(rules.size()));
  rules.categories.push_back(rule.category);
  rules.borders.push_back(rule.border);
  rules.targets.add(rule.target);
  rules.links.add(rule.links);
  rules.values.add(rule.values);
}

uint32_t MemoryGrammarBuilder::node_of(std::span<const Symbol> source) {
  if (std::ranges::equal(source, last_source_)) return last_node_;
  uint32_t node = RuleTrie::kRoot;
  for (const Symbol symbol : source) {
    const auto next = static_cast<uint32_t>(grammar_->symbols_.size());
    if (next == RuleTrie::kNoNode) throw InputError("a grammar in memory has 2^32 different source sides");
    const auto [child, is_new] = grammar_->children_.insert(MemoryGrammar::branch(node, symbol), next);
    if (is_new) {
      grammar_->symbols_.push_back(symbol);
      grammar_->parents_.push_back(node);
    }
    node = child;
  }
  last_source_.assign(source.begin(), source.end());
  return last_node_ = node;
}

std::shared_ptr<MemoryGrammar> MemoryGrammarBuilder::build() {
  MemoryGrammar& grammar = *grammar_;
  const size_t nodes = grammar.symbols_.size();
  grammar.order_.resize(nodes_.size());
  grammar.begins_ =
      group(nodes, nodes_, [&](uint32_t rule, uint32_t place) { grammar.order_[place] = rule; });
  std::vector<uint32_t> parents, children;  // the branches labeled with gaps
  for (uint32_t node = 1; node < nodes; ++node) {
    if (!is_gap(grammar.symbols_[node])) continue;
    parents.push_back(grammar.parents_[node]);
    children.push_back(node);
  }
  grammar.gaps_.resize(children.size());
  grammar.gap_begins_ = group(nodes, parents, [&](uint32_t i, uint32_t place) {
    const auto category = static_cast<uint32_t>(gap_index(grammar.symbols_[children[i]]));
    grammar.gaps_[place] = {category, children[i]};
  });
  for (const auto& [table, names] :
       {std::pair(&categories_, &grammar.categories_), std::pair(&features_, &grammar.feature_names_)})
    for (size_t i = 0; i < table->size(); ++i) names->emplace_back((*table)[static_cast<int32_t>(i)]);
  return std::move(grammar_);
}

void MemoryGrammarBuilder::check(const TrieRule& rule) {
  if (rule.source.empty()) throw InputError("a rule has no source side; expected at least a word or a gap");
  if (rule.category >= categories_.size()) throw InputError("a rule produces a category that has no name");
  check_gaps(rule);
  check_links(rule);
  check_values(rule);
  check_room(grammar_->rules_.targets, rule.target);
  check_room(grammar_->rules_.links, rule.links);
  check_room(grammar_->rules_.values, rule.values);
}

void MemoryGrammarBuilder::check_gaps(const TrieRule& rule) {
  size_t gaps = 0, found = 0;
  for (const Symbol symbol : rule.source) {
    const bool known = is_gap(symbol) ? gap_index(symbol) < categories_.size()
                                      : static_cast<size_t>(symbol) < grammar_->source_words_.size();
    if (!known) throw InputError("the source side of a rule has an unknown symbol");
    gaps += is_gap(symbol);
  }
  used_gaps_.assign(gaps, false);
  for (const Symbol symbol : rule.target) {
    if (!is_gap(symbol)) {
      if (static_cast<size_t>(symbol) >= grammar_->target_words_.size())
        throw InputError("the target side of a rule has an unknown word");
      continue;
    }
    const size_t gap = gap_index(symbol);
    if (gap >= gaps || used_gaps_[gap])
      throw InputError("the target side does not have each gap of the source side exactly once");
    used_gaps_[gap] = true;
    ++found;
  }
  if (found != gaps)
    throw InputError("the source side has " + std::to_string(gaps) + " gaps, the target side " +
                     std::to_string(found) + "; expected the same number");
}

void MemoryGrammarBuilder::check_links(const TrieRule& rule) const {
  const auto is_word = [](std::span<const Symbol> side, int32_t at) {
    return at >= 0 && static_cast<size_t>(at) < side.size() && !is_gap(side[static_cast<size_t>(at)]);
  };
  for (const corpus::Link& link : rule.links)
    if (!is_word(rule.source, link.source) || !is_word(rule.target, link.target))
      throw InputError("the link " + std::to_string(link.source) + "-" + std::to_string(link.target) +
                       " does not join two words of a rule of " + std::to_string(rule.source.size()) +
                       " and " + std::to_string(rule.target.size()) + " symbols");
}

void MemoryGrammarBuilder::check_values(const TrieRule& rule) {
  used_by_.resize(features_.size());
  ++checked_;
  for (const FeatureValue& each : rule.values) {
    if (each.column >= features_.size()) throw InputError("a rule has a feature without a name");
    const auto name = [&] { return quoted(features_[static_cast<int32_t>(each.column)]); };
    if (!std::isfinite(each.value)) throw InputError("the feature " + name() + " is not a finite number");
    if (used_by_[each.column] == checked_)
      throw InputError("the feature " + name() + " occurs twice in a rule");
    used_by_[each.column] = checked_;
  }
}

}  // namespace tunesmith::grammar
