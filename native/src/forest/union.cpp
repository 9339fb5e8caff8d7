#include "tunesmith/forest/union.h"

#include <limits>
#include <map>
#include <optional>

#include "tunesmith/base/errors.h"

namespace tunesmith::forest {

namespace {

std::vector<uint32_t> merged(const TextColumn& names, NameTable& table) {
  std::vector<uint32_t> numbers(names.size());
  for (size_t i = 0; i < names.size(); ++i) numbers[i] = static_cast<uint32_t>(table.intern(names[i]));
  return numbers;
}

/// New numbers of the words and features of one forest.
struct Renaming {
  std::vector<uint32_t> words;
  std::vector<uint32_t> features;
};

/// Words and features of all forests, identified by name. Names shared by all forests are kept as they are.
class UnitedNames {
 public:
  explicit UnitedNames(std::span<const Forest* const> forests) {
    for (const Forest* forest : forests) renamings_.try_emplace(&forest->names());
    if (renamings_.size() == 1) {
      names_ = forests.front()->shared_names();
      return;
    }
    NameTable words, features;
    for (const Forest* forest : forests) {
      auto& renaming = renamings_[&forest->names()];
      if (!renaming)
        renaming = Renaming{merged(forest->names().words, words), merged(forest->names().features, features)};
    }
    auto names = std::make_shared<ForestNames>();
    names->words = words.take_names();
    names->features = features.take_names();
    names_ = std::move(names);
  }

  const std::shared_ptr<const ForestNames>& names() const { return names_; }
  /// None if numbers stay the same.
  const std::optional<Renaming>& renaming(const Forest& forest) const {
    return renamings_.at(&forest.names());
  }

 private:
  std::map<const ForestNames*, std::optional<Renaming>> renamings_;
  std::shared_ptr<const ForestNames> names_;
};

void check_room(size_t size) {
  if (size >= std::numeric_limits<uint32_t>::max())
    throw InputError("the union of the forests is too large: more than 4294967294 values in an array");
}

void add_symbols(Rows<grammar::Symbol>& to, const Rows<grammar::Symbol>& from,
                 const std::optional<Renaming>& renaming) {
  check_room(to.values.size() + from.values.size());
  for (size_t row = 0; row < from.size(); ++row) {
    for (const grammar::Symbol symbol : from[row])
      to.values.push_back(grammar::is_gap(symbol) || !renaming
                              ? symbol
                              : static_cast<grammar::Symbol>(renaming->words[static_cast<size_t>(symbol)]));
    to.close();
  }
}

void add_features(Rows<FeatureValue>& to, const Rows<FeatureValue>& from,
                  const std::optional<Renaming>& renaming) {
  check_room(to.values.size() + from.values.size());
  for (size_t row = 0; row < from.size(); ++row) {
    for (const FeatureValue& feature : from[row])
      to.values.push_back({renaming ? renaming->features[feature.column] : feature.column, feature.value});
    to.close();
  }
}

void add_forest(ForestArrays& to, const ForestArrays& from, const std::optional<Renaming>& renaming) {
  const auto nodes = static_cast<uint32_t>(to.edge_offsets.size() - 1);
  const auto edges = static_cast<uint32_t>(to.edge_rules.size());
  const auto rules = static_cast<uint32_t>(to.rules.size());
  check_room(size_t{nodes} + from.edge_offsets.size());
  check_room(size_t{edges} + from.edge_rules.size());
  check_room(to.tails.values.size() + from.tails.values.size());
  for (size_t i = 1; i < from.edge_offsets.size(); ++i)
    to.edge_offsets.push_back(edges + from.edge_offsets[i]);
  for (size_t edge = 0; edge < from.edge_rules.size(); ++edge) {
    for (const uint32_t tail : from.tails[edge]) to.tails.values.push_back(nodes + tail);
    to.tails.close();
    to.edge_rules.push_back(rules + from.edge_rules[edge]);
  }
  to.spans.insert(to.spans.end(), from.spans.begin(), from.spans.end());
  add_features(to.features, from.features, renaming);
  add_symbols(to.rules.sources, from.rules.sources, renaming);
  add_symbols(to.rules.targets, from.rules.targets, renaming);
  for (size_t rule = 0; rule < from.rules.size(); ++rule) to.rules.links.add(from.rules.links[rule]);
  add_features(to.rules.features, from.rules.features, renaming);
  to.rules.ids.insert(to.rules.ids.end(), from.rules.ids.begin(), from.rules.ids.end());
}

/// A rule whose yield is that of its tail.
uint32_t add_unary_rule(ForestRules& rules) {
  const grammar::Symbol gap = grammar::gap_symbol(0);
  rules.sources.close();
  rules.targets.add({&gap, 1});
  rules.links.close();
  rules.features.close();
  rules.ids.push_back(-1);
  return static_cast<uint32_t>(rules.size()) - 1;
}

}  // namespace

Forest unite_forests(std::span<const Forest* const> forests) {
  const UnitedNames united(forests);
  ForestArrays arrays;
  std::vector<uint32_t> roots;
  for (const Forest* forest : forests) {
    if (forest->empty()) continue;
    add_forest(arrays, forest->arrays(), united.renaming(*forest));
    roots.push_back(static_cast<uint32_t>(arrays.edge_offsets.size()) - 2);
  }
  if (roots.empty()) return {std::move(arrays), united.names()};
  const uint32_t rule = add_unary_rule(arrays.rules);
  for (const uint32_t root : roots) {
    arrays.tails.add({&root, 1});
    arrays.edge_rules.push_back(rule);
    arrays.spans.emplace_back();
    arrays.features.close();
  }
  arrays.edge_offsets.push_back(static_cast<uint32_t>(arrays.edge_rules.size()));
  return {std::move(arrays), united.names()};
}

}  // namespace tunesmith::forest
