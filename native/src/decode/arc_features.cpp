#include "tunesmith/decode/arc_features.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tunesmith::decode {

namespace {

/// The model's column of a name. A linear search: names are few, and so are arcs with named features.
std::optional<size_t> column_of(const DecoderModel& model, std::string_view name) {
  const auto found = std::ranges::find(model.names(), name);
  if (found == model.names().end()) return {};
  return static_cast<size_t>(found - model.names().begin());
}

}  // namespace

float arc_score(const WeightedModel& model, const corpus::LatticeArc& arc) {
  float sum = model.weight(Penalty::kInput) * arc.score;
  for (const auto& [name, value] : arc.features) {
    const auto column = column_of(model.model(), name);
    sum += (column ? model.weight(*column) : model.sparse()[name]) * value;
  }
  return sum;
}

void arc_values(const DecoderModel& model, const corpus::LatticeArc& arc, ModelSink& sink) {
  sink.begin(0);
  if (const auto column = model.column(Penalty::kInput)) sink.add(*column, arc.score);
  for (const auto& [name, value] : arc.features) {
    if (const auto column = column_of(model, name))
      sink.add(*column, value);
    else
      sink.add(name, value);
  }
}

/// Sums are in the order in which their columns first appear: the numbers of sparse columns depend on the
/// timing of threads, and must not order anything.
void path_values(const DecoderModel& model, std::span<const corpus::LatticeArc* const> path,
                 ModelSink& sink) {
  std::vector<FeatureValue> values;
  ColumnSink all(model, values);
  for (const corpus::LatticeArc* arc : path) arc_values(model, *arc, all);
  std::vector<uint32_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](uint32_t i) { return values[i].column; });
  for (size_t i = 0; i < order.size();) {
    FeatureValue& first = values[order[i]];
    while (++i < order.size() && values[order[i]].column == first.column)
      first.value += std::exchange(values[order[i]].value, 0.0F);
  }
  sink.begin(0);
  for (const FeatureValue& value : values) sink.add(value.column, value.value);
}

}  // namespace tunesmith::decode
