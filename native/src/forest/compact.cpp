#include "tunesmith/forest/compact.h"

#include <memory>

namespace tunesmith::forest {

namespace {

/// Names of one kind: which are used, and their new numbers.
class NamesInUse {
 public:
  explicit NamesInUse(const TextColumn& names) : names_(names), used_(names.size()) {}

  void mark(size_t number) { used_[number] = 1; }
  TextColumn close() {
    numbers_ = compact_numbers(used_);
    TextColumn kept;
    for (size_t i = 0; i < used_.size(); ++i)
      if (used_[i] != 0) kept.add(names_[i]);
    return kept;
  }
  uint32_t operator[](size_t number) const { return numbers_[number]; }

 private:
  const TextColumn& names_;
  std::vector<uint8_t> used_;
  std::vector<uint32_t> numbers_;
};

}  // namespace

std::vector<uint32_t> compact_numbers(const std::vector<uint8_t>& used) {
  std::vector<uint32_t> numbers(used.size(), kUnused);
  uint32_t next = 0;
  for (size_t i = 0; i < used.size(); ++i)
    if (used[i] != 0) numbers[i] = next++;
  return numbers;
}

ForestRules used_rules(const ForestRules& rules, std::vector<uint32_t>& edge_rules) {
  std::vector<uint8_t> used(rules.size());
  for (const uint32_t rule : edge_rules) used[rule] = 1;
  const auto numbers = compact_numbers(used);
  for (uint32_t& rule : edge_rules) rule = numbers[rule];
  ForestRules kept;
  for (size_t rule = 0; rule < rules.size(); ++rule) {
    if (used[rule] == 0) continue;
    kept.sources.add(rules.sources[rule]);
    kept.targets.add(rules.targets[rule]);
    kept.links.add(rules.links[rule]);
    kept.features.add(rules.features[rule]);
    kept.ids.push_back(rules.ids[rule]);
  }
  return kept;
}

Forest compact_names(const Forest& forest) {
  ForestArrays arrays = forest.arrays();
  Rows<grammar::Symbol>* const sides[] = {&arrays.rules.sources, &arrays.rules.targets};
  Rows<FeatureValue>* const features[] = {&arrays.rules.features, &arrays.features};
  NamesInUse words(forest.names().words), columns(forest.names().features);
  for (const auto* side : sides)
    for (const grammar::Symbol symbol : side->values)
      if (!grammar::is_gap(symbol)) words.mark(static_cast<size_t>(symbol));
  for (const auto* rows : features)
    for (const FeatureValue& feature : rows->values) columns.mark(feature.column);
  auto names = std::make_shared<ForestNames>();
  names->words = words.close();
  names->features = columns.close();
  for (auto* side : sides)
    for (grammar::Symbol& symbol : side->values)
      if (!grammar::is_gap(symbol)) symbol = static_cast<grammar::Symbol>(words[static_cast<size_t>(symbol)]);
  for (auto* rows : features)
    for (FeatureValue& feature : rows->values) feature.column = columns[feature.column];
  return {std::move(arrays), std::move(names)};
}

}  // namespace tunesmith::forest
