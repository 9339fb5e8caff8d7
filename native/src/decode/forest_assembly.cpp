#include "tunesmith/decode/forest_assembly.h"

namespace tunesmith::decode {

ForestAssembly::ForestAssembly(const DecoderModel& model) : model_(model) {
  for (const std::string& name : model.names()) features_.intern(name);
}

uint32_t ForestAssembly::close_rule(int64_t id) {
  forest::ForestRules& rules = arrays_.rules;
  rules.sources.close();
  rules.targets.close();
  rules.links.close();
  close_features(rules.features);
  rules.ids.push_back(id);
  return static_cast<uint32_t>(rules.ids.size()) - 1;
}

void ForestAssembly::close_edge(std::span<const uint32_t> tails, uint32_t rule, Range span) {
  arrays_.tails.add(tails);
  arrays_.edge_rules.push_back(rule);
  arrays_.spans.push_back({static_cast<int32_t>(span.begin), static_cast<int32_t>(span.end)});
  close_features(arrays_.features);
}

uint32_t ForestAssembly::close_node() {
  arrays_.edge_offsets.push_back(static_cast<uint32_t>(arrays_.edge_rules.size()));
  return static_cast<uint32_t>(arrays_.edge_offsets.size()) - 2;
}

/// Moves the recorded values into a row, by forest column.
void ForestAssembly::close_features(Rows<FeatureValue>& rows) {
  for (FeatureValue value : values_) {
    if (value.column >= model_.names().size()) value.column = sparse_column(value.column);
    rows.values.push_back(value);
  }
  values_.clear();
  rows.close();
}

uint32_t ForestAssembly::sparse_column(uint32_t column) {
  const auto [at, is_new] = sparse_columns_.try_emplace(column);
  if (is_new) at->second = static_cast<uint32_t>(features_.intern(model_.column_name(column)));
  return at->second;
}

std::shared_ptr<const forest::Forest> ForestAssembly::take() {
  auto names = std::make_shared<forest::ForestNames>();
  names->words = words_.take_names();
  names->features = features_.take_names();
  return std::make_shared<const forest::Forest>(std::move(arrays_), std::move(names));
}

}  // namespace tunesmith::decode
