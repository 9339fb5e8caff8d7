#include "tunesmith/grammar/from_table.h"

#include <algorithm>

#include "tunesmith/base/errors.h"

namespace tunesmith::grammar {

TableGrammar::TableGrammar(std::shared_ptr<const RuleTable> table) : table_(std::move(table)) {
  if (table_->rules() >= kNoNumber)
    throw InputError(table_->container().path() + ": has 2^32 rules or more, too many for a decoder");
  for (size_t i = 0; i < table_->feature_names().size(); ++i)
    feature_names_.emplace_back(table_->feature_names()[i]);
  for (uint32_t node = 0; node < table_->nodes(); ++node) {
    const auto [begin, end] = table_->children_of(node);
    if (end - begin < kManyChildren) continue;
    for (uint32_t child = begin; child < end; ++child)
      if (!is_gap(table_->symbol(child))) wide_.insert(branch(node, table_->symbol(child)), child);
  }
}

uint32_t TableGrammar::by_word(uint32_t node, int32_t word) const {
  if (word < 0) return kNoNode;
  const auto [begin, end] = table_->children_of(node);
  if (end - begin >= kManyChildren) {
    const uint32_t* found = wide_.find(branch(node, word));
    return found == nullptr ? kNoNode : *found;
  }
  const uint32_t child = table_->child(node, word);
  return child == RuleTable::kNoNode ? kNoNode : child;
}

uint32_t TableGrammar::by_gap(uint32_t node, uint32_t gap, uint32_t category) const {
  if (category != 0 || gap >= static_cast<uint32_t>(kMaxGaps)) return kNoNode;
  // Gaps sort before words, and only the next gap can occur at a node: if present, it is the first child.
  const auto [begin, end] = table_->children_of(node);
  return begin != end && table_->symbol(begin) == gap_symbol(gap) ? begin : kNoNode;
}

void TableGrammar::rules(uint32_t node, RuleRows& rows) const {
  const auto [begin, end] = table_->rules_of(node);
  const size_t size = rows.size() + (end - begin);
  rows.numbers.reserve(size);
  rows.categories.reserve(size);
  rows.borders.reserve(size);
  rows.values.values.reserve(size * feature_names_.size());
  for (uint64_t rule = begin; rule < end; ++rule) {
    rows.numbers.push_back(static_cast<uint32_t>(rule));
    rows.categories.push_back(0);
    rows.borders.push_back(Border::kNone);
    rows.targets.add(table_->target(rule));
    for (const PackedLink link : table_->links(rule)) rows.links.values.push_back({link.source, link.target});
    rows.links.close();
    const auto features = table_->features(rule);
    for (uint32_t column = 0; column < features.size(); ++column)
      if (features[column] != 0) rows.values.values.push_back({column, features[column]});
    rows.values.close();
  }
}

std::vector<Symbol> TableGrammar::source(uint32_t node) const {
  std::vector<Symbol> side;
  for (; node != kRoot; node = table_->parent(node)) side.push_back(table_->symbol(node));
  std::reverse(side.begin(), side.end());
  return side;
}

}  // namespace tunesmith::grammar
