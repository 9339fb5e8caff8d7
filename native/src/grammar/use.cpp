#include "tunesmith/grammar/use.h"

#include <algorithm>
#include <numeric>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/quote.h"

namespace tunesmith::grammar {

namespace {

/// Maps features to the model's columns, and drops unused ones.
void rename_columns(const std::vector<uint32_t>& columns, Rows<FeatureValue>& rows) {
  Rows<FeatureValue> renamed;
  renamed.offsets.reserve(rows.offsets.size());
  renamed.values.reserve(rows.values.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    for (const FeatureValue& value : rows[i])
      if (columns[value.column] != kNoNumber) renamed.values.push_back({columns[value.column], value.value});
    renamed.close();
  }
  rows = std::move(renamed);
}

/// The rules with the highest p(e|f), at most `breadth` per category, in their order. Of equal ones the first
/// are kept. A rule without the value has 0, as in scoring.
RuleRows widest(const RuleRows& rows, size_t breadth, uint32_t column, bool is_cost) {
  std::vector<float> scores(rows.size());
  for (size_t i = 0; i < rows.size(); ++i)
    for (const FeatureValue& value : rows.values[i])
      if (value.column == column) scores[i] = is_cost ? -value.value : value.value;
  std::vector<uint32_t> order(rows.size()), chosen;
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, [&](uint32_t a, uint32_t b) { return scores[a] > scores[b]; });
  std::vector<size_t> kept(1 + (rows.categories.empty() ? 0 : std::ranges::max(rows.categories)));
  for (const uint32_t i : order)
    if (kept[rows.categories[i]]++ < breadth) chosen.push_back(i);
  std::ranges::sort(chosen);
  return chosen_rows(rows, chosen);
}

}  // namespace

RuleRows chosen_rows(const RuleRows& rows, std::span<const uint32_t> chosen) {
  RuleRows result;
  for (const uint32_t i : chosen) {
    result.numbers.push_back(rows.numbers[i]);
    result.categories.push_back(rows.categories[i]);
    result.borders.push_back(rows.borders[i]);
    result.targets.add(rows.targets[i]);
    result.links.add(rows.links[i]);
    if (rows.values.size() > 0) result.values.add(rows.values[i]);
  }
  return result;
}

uint32_t GrammarUse::direct_column() const {
  const auto& names = trie->feature_names();
  const auto found = std::ranges::find(names, limits.direct);
  if (found == names.end())
    throw InputError("rules cannot be cut by p(e|f): the grammar has no feature " + quoted(limits.direct) +
                     " of it; decode without a table breadth");
  return static_cast<uint32_t>(found - names.begin());
}

RuleRows GrammarUse::rules(uint32_t node) const {
  RuleRows rows;
  trie->rules(node, rows);
  if (limits.breadth > 0 && rows.size() > limits.breadth)
    rows = widest(rows, limits.breadth, direct_column(), limits.direct_is_cost);
  for (Symbol& symbol : rows.targets.values)
    if (!is_gap(symbol)) symbol = words[static_cast<size_t>(symbol)];
  rename_columns(columns, rows.values);
  for (uint32_t& category : rows.categories) category = categories[category];
  return rows;
}

}  // namespace tunesmith::grammar
