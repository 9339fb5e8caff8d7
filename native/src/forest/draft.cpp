#include "tunesmith/forest/draft.h"

#include <cmath>
#include <utility>

#include "tunesmith/base/errors.h"
#include "tunesmith/base/number.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/corpus/sentences.h"

namespace tunesmith::forest {

void ForestDraft::add_words(std::string_view text, std::vector<grammar::Symbol>& symbols) {
  corpus::for_each_token(text, [&](std::string_view token) { symbols.push_back(word(token)); });
}

uint32_t ForestDraft::rule(std::span<const grammar::Symbol> source, std::span<const grammar::Symbol> target) {
  const auto length = static_cast<uint32_t>(source.size());
  std::string key(reinterpret_cast<const char*>(&length), sizeof(length));
  key.append(reinterpret_cast<const char*>(source.data()), source.size_bytes());
  key.append(reinterpret_cast<const char*>(target.data()), target.size_bytes());
  const auto [found, is_new] = rules_.try_emplace(std::move(key), static_cast<uint32_t>(rules_.size()));
  if (is_new) {
    arrays_.rules.sources.add(source);
    arrays_.rules.targets.add(target);
    arrays_.rules.links.close();
    arrays_.rules.features.close();
    arrays_.rules.ids.push_back(-1);
  }
  return found->second;
}

void ForestDraft::add_feature(std::string_view name, double value) {
  if (name.empty()) throw InputError("a feature has no name; expected name=value");
  const auto narrow = static_cast<float>(value);
  if (!std::isfinite(narrow)) throw InputError("the value of feature " + quoted(name) + " is not finite");
  const auto column = static_cast<uint32_t>(features_.intern(name));
  if (column >= last_edges_.size()) last_edges_.resize(column + 1, 0);
  if (std::exchange(last_edges_[column], edge_count() + 1) == edge_count() + 1)
    throw InputError("feature " + quoted(name) + " has two values for one edge");
  arrays_.features.values.push_back({column, narrow});
}

void ForestDraft::add_feature(std::string_view name_and_value) {
  const size_t equals = name_and_value.rfind('=');
  if (equals == std::string_view::npos)
    throw InputError("expected name=value, found " + quoted(name_and_value));
  add_feature(name_and_value.substr(0, equals), parse_feature_value(name_and_value.substr(equals + 1)));
}

void ForestDraft::add_edge(std::span<const uint32_t> tails, uint32_t rule, SourceSpan span) {
  arrays_.tails.add(tails);
  arrays_.edge_rules.push_back(rule);
  arrays_.spans.push_back(span);
  arrays_.features.close();
}

Forest ForestDraft::take() {
  auto names = std::make_shared<ForestNames>();
  names->words = words_.take_names();
  names->features = features_.take_names();
  ForestArrays arrays = std::move(arrays_);
  *this = ForestDraft();
  return Forest(std::move(arrays), std::move(names));
}

Forest ForestDraft::take(const std::vector<std::vector<uint32_t>>& nodes, const Rows<uint32_t>& tails) {
  ForestArrays drafted = std::exchange(arrays_, {});
  arrays_.rules = std::move(drafted.rules);
  for (const auto& edges : nodes) {
    for (const uint32_t edge : edges) {
      const auto row = drafted.features[edge];
      arrays_.features.values.insert(arrays_.features.values.end(), row.begin(), row.end());
      add_edge(tails[edge], drafted.edge_rules[edge], drafted.spans[edge]);
    }
    close_node();
  }
  return take();
}

double parse_feature_value(std::string_view text) {
  const auto value = parse_number(text);
  if (!value || !std::isfinite(*value)) throw InputError("expected a finite number, found " + quoted(text));
  return *value;
}

}  // namespace tunesmith::forest
