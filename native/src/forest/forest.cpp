#include "tunesmith/forest/forest.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "tunesmith/base/errors.h"
#include "tunesmith/forest/edge_features.h"

namespace tunesmith::forest {

namespace {

[[noreturn]] void refuse(const std::string& what) { throw InputError("the forest is invalid: " + what); }

void check_size(size_t found, size_t expected, const char* what) {
  if (found != expected)
    refuse(std::to_string(found) + " " + what + "; expected " + std::to_string(expected));
}

void check_rows(const std::vector<uint32_t>& offsets, size_t rows, size_t values, const char* what) {
  if (offsets.empty() || offsets.front() != 0 || offsets.back() != values)
    refuse(std::string("offsets of ") + what + " do not fit their values");
  for (size_t i = 1; i < offsets.size(); ++i)
    if (offsets[i] < offsets[i - 1]) refuse(std::string("offsets of ") + what + " decrease");
  check_size(offsets.size() - 1, rows, what);
}

template <class T>
void check_rows(const Rows<T>& rows, size_t count, const char* what) {
  check_rows(rows.offsets, count, rows.values.size(), what);
}

void check_features(const Rows<FeatureValue>& rows, size_t names) {
  for (const FeatureValue& feature : rows.values) {
    if (feature.column >= names) refuse("the number of a feature is beyond the last name");
    if (!std::isfinite(feature.value)) refuse("the value of a feature is not finite");
  }
}

void check_links(const ForestRules& rules) {
  const auto within = [](int32_t position, size_t size) {
    return position >= 0 && static_cast<size_t>(position) < size;
  };
  for (size_t rule = 0; rule < rules.size(); ++rule) {
    const size_t target = rules.targets[rule].size(), source = rules.sources[rule].size();
    for (const corpus::Link& link : rules.links[rule])
      if (!within(link.target, target) || link.source < 0 || (source != 0 && !within(link.source, source)))
        refuse("the link " + std::to_string(link.source) + "-" + std::to_string(link.target) +
               " lies outside of its rule, which has " + std::to_string(source) + " source and " +
               std::to_string(target) + " target symbols");
  }
}

void check_rules(const ForestRules& rules, const ForestNames& names) {
  check_rows(rules.sources, rules.size(), "source sides");
  check_rows(rules.targets, rules.size(), "target sides");
  check_rows(rules.links, rules.size(), "alignments");
  check_rows(rules.features, rules.size(), "rules' features");
  check_features(rules.features, names.features.size());
  for (const Rows<grammar::Symbol>* side : {&rules.sources, &rules.targets})
    for (const grammar::Symbol symbol : side->values)
      if (!grammar::is_gap(symbol) && static_cast<size_t>(symbol) >= names.words.size())
        refuse("the number of a word is beyond the last name");
  check_links(rules);
}

/// Number of tails that the source side of each rule needs.
std::vector<size_t> source_gaps(const ForestRules& rules) {
  std::vector<size_t> gaps(rules.size());
  for (size_t rule = 0; rule < rules.size(); ++rule)
    for (const grammar::Symbol symbol : rules.sources[rule])
      if (grammar::is_gap(symbol)) gaps[rule] = std::max(gaps[rule], grammar::gap_index(symbol) + 1);
  return gaps;
}

/// Throws unless the target side has each tail once.
void check_gaps(std::span<const grammar::Symbol> target, size_t tails) {
  uint64_t seen = 0;
  size_t gaps = 0;
  for (const grammar::Symbol symbol : target) {
    if (!grammar::is_gap(symbol)) continue;
    const size_t gap = grammar::gap_index(symbol);
    if (gap >= tails || gap >= 64 || (seen >> gap & 1) != 0)
      refuse("a target side does not have each tail exactly once");
    seen |= uint64_t{1} << gap;
    ++gaps;
  }
  if (gaps != tails) refuse("a target side does not have each tail exactly once");
}

}  // namespace

Forest::Forest(ForestArrays arrays, std::shared_ptr<const ForestNames> names)
    : arrays_(std::move(arrays)), names_(std::move(names)) {
  const size_t edges = arrays_.edge_rules.size();
  const auto& offsets = arrays_.edge_offsets;
  check_rows(offsets, offsets.empty() ? 0 : offsets.size() - 1, edges, "edges");
  check_rows(arrays_.tails, edges, "tails");
  check_rows(arrays_.features, edges, "edges' features");
  check_size(arrays_.spans.size(), edges, "spans");
  check_rules(arrays_.rules, *names_);
  check_features(arrays_.features, names_->features.size());
  const auto needed = source_gaps(arrays_.rules);
  for (uint32_t node = 0; node < node_count(); ++node) {
    if (first_edge(node) == last_edge(node)) refuse("node " + std::to_string(node) + " has no edge");
    for (uint32_t edge = first_edge(node); edge < last_edge(node); ++edge) {
      if (rule(edge) >= rule_count()) refuse("edge " + std::to_string(edge) + " has no rule");
      for (const uint32_t tail : tails(edge))
        if (tail >= node) refuse("edge " + std::to_string(edge) + " has a tail that is not below its head");
      check_gaps(target(edge), tails(edge).size());
      if (needed[rule(edge)] > tails(edge).size()) refuse("a source side has a gap without a tail");
    }
  }
}

size_t Forest::bytes() const {
  const auto of = [](const auto& values) { return values.size() * sizeof(values[0]); };
  const auto of_rows = [&](const auto& rows) { return of(rows.offsets) + of(rows.values); };
  const ForestRules& rules = arrays_.rules;
  return of(arrays_.edge_offsets) + of_rows(arrays_.tails) + of(arrays_.edge_rules) + of(arrays_.spans) +
         of_rows(arrays_.features) + of_rows(rules.sources) + of_rows(rules.targets) + of_rows(rules.links) +
         of_rows(rules.features) + of(rules.ids);
}

std::vector<double> Forest::scores(std::span<const double> weights) const {
  if (weights.size() != names_->features.size())
    throw InputError(std::to_string(weights.size()) + " weights for " +
                     std::to_string(names_->features.size()) + " features of a forest");
  const auto rows = [](const Rows<FeatureValue>& values) {
    return RowsView<FeatureValue>{values.offsets, values.values};
  };
  const EdgeFeatures features{arrays_.edge_rules, rows(arrays_.rules.features), rows(arrays_.features)};
  std::vector<double> rule_scores, scores;
  features.score(weights, 1, rule_scores, scores);
  return scores;
}

}  // namespace tunesmith::forest
