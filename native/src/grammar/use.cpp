#include "tunesmith/grammar/use.h"

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

}  // namespace

RuleRows GrammarUse::rules(uint32_t node) const {
  RuleRows rows;
  trie->rules(node, rows);
  for (Symbol& symbol : rows.targets.values)
    if (!is_gap(symbol)) symbol = words[static_cast<size_t>(symbol)];
  rename_columns(columns, rows.values);
  for (uint32_t& category : rows.categories) category = categories[category];
  return rows;
}

}  // namespace tunesmith::grammar
