#include <nanobind/stl/tuple.h>

#include "bind/forest/names.h"
#include "tunesmith/base/quote.h"
#include "tunesmith/forest/compact.h"

namespace tunesmith::bind {

namespace {

using TextView = std::pair<Vector<uint8_t>, Vector<int64_t>>;

template <class T>
std::vector<T> copied(const Vector<T>& array) {
  return {array.data(), array.data() + array.size()};
}

TextColumn copied(const TextView& array) {
  texts(array.first, array.second);
  return {copied(array.first), copied(array.second)};
}

template <class T>
Rows<T> rows(const std::pair<Vector<uint32_t>, Vector<T>>& arrays) {
  return {copied(arrays.first), copied(arrays.second)};
}

/// Rows of pairs, given as a matrix of two columns.
template <class T>
Rows<T> row_pairs(const std::pair<Vector<uint32_t>, Matrix<int32_t>>& arrays) {
  static_assert(sizeof(T) == 2 * sizeof(int32_t));
  if (arrays.second.shape(1) != 2)
    throw InputError("links are rows of two word positions; found " + std::to_string(arrays.second.shape(1)) +
                     " columns");
  const auto* first = reinterpret_cast<const T*>(arrays.second.data());
  return {copied(arrays.first), {first, first + arrays.second.shape(0)}};
}

using FeatureArrays = std::tuple<Vector<uint32_t>, Vector<uint32_t>, Vector<float>>;

Rows<FeatureValue> feature_rows(const FeatureArrays& arrays) {
  const auto& [offsets, columns, values] = arrays;
  if (columns.size() != values.size())
    throw InputError(std::to_string(columns.size()) + " columns for " + std::to_string(values.size()) +
                     " feature values");
  Rows<FeatureValue> result{copied(offsets), {}};
  result.values.reserve(columns.size());
  for (size_t i = 0; i < columns.size(); ++i) result.values.push_back({columns.data()[i], values.data()[i]});
  return result;
}

/// Throws InputError if two columns have the same name.
void check_distinct(const TextColumn& features) {
  NameTable table;
  for (size_t i = 0; i < features.size(); ++i)
    if (static_cast<size_t>(table.intern(features[i])) != i)
      throw InputError("two features have the name " + quoted(features[i]));
}

void make(forest::Forest* forest, const Vector<uint32_t>& edge_offsets,
          const std::pair<Vector<uint32_t>, Vector<uint32_t>>& tails, const Vector<uint32_t>& edge_rules,
          const Matrix<int32_t>& spans, const FeatureArrays& features,
          const std::pair<Vector<uint32_t>, Vector<int32_t>>& sources,
          const std::pair<Vector<uint32_t>, Vector<int32_t>>& targets,
          const std::pair<Vector<uint32_t>, Matrix<int32_t>>& links, const FeatureArrays& rule_features,
          const Vector<int64_t>& rule_ids, const TextView& words, const TextView& feature_names) {
  forest::ForestArrays arrays;
  arrays.edge_offsets = copied(edge_offsets);
  arrays.tails = rows(tails);
  arrays.edge_rules = copied(edge_rules);
  if (spans.shape(1) != 2)
    throw InputError("spans are rows of two word positions; found " + std::to_string(spans.shape(1)) +
                     " columns");
  const auto* first = reinterpret_cast<const forest::SourceSpan*>(spans.data());
  arrays.spans.assign(first, first + spans.shape(0));
  arrays.features = feature_rows(features);
  arrays.rules = {rows(sources), rows(targets), row_pairs<corpus::Link>(links), feature_rows(rule_features),
                  copied(rule_ids)};
  auto names = std::make_shared<forest::ForestNames>();
  names->words = copied(words);
  names->features = copied(feature_names);
  check_distinct(names->features);
  new (forest) forest::Forest(std::move(arrays), std::move(names));
}

auto texts_of(nb::handle owner, const TextColumn& column) {
  return std::pair(view_of(owner, column.blob), view_of(owner, column.offsets));
}

const forest::ForestNames& names(nb::handle self) { return nb::cast<const forest::ForestNames&>(self); }

template <class T, class Get>
auto strided(nb::handle owner, const Rows<FeatureValue>& rows, Get get) {
  const T* data = rows.values.empty() ? nullptr : get(rows.values.data());
  return view_of<T>(owner, data, rows.values.size(), sizeof(FeatureValue) / sizeof(T));
}

auto columns(nb::handle owner, const Rows<FeatureValue>& rows) {
  return strided<uint32_t>(owner, rows, [](const FeatureValue* first) { return &first->column; });
}

auto values(nb::handle owner, const Rows<FeatureValue>& rows) {
  return strided<float>(owner, rows, [](const FeatureValue* first) { return &first->value; });
}

template <class T>
nb::ndarray<const int32_t, nb::numpy, nb::ndim<2>> pairs_of(nb::handle owner, const std::vector<T>& values) {
  static_assert(sizeof(T) == 2 * sizeof(int32_t));
  return {reinterpret_cast<const int32_t*>(values.data()), {values.size(), 2}, owner};
}

const forest::Forest& forest(nb::handle self) { return nb::cast<const forest::Forest&>(self); }

}  // namespace

void bind_forest_forest(nb::module_& m) {
  nb::class_<forest::ForestNames>(m, "ForestNames", "Words and features by name, shared by forests.")
      .def_prop_ro("words", [](nb::handle self) { return texts_of(self, names(self).words); })
      .def_prop_ro("features", [](nb::handle self) { return texts_of(self, names(self).features); });
  m.def(
      "compact_names",
      [](const forest::Forest& forest) { return without_gil([&] { return forest::compact_names(forest); }); },
      "forest"_a, "The same forest with only the names that it uses.");
  nb::class_<forest::Forest> bound(m, "Forest",
                                   "An immutable hypergraph; see native/include/tunesmith/forest/forest.h.");
  bound
      .def("__init__", &make, "edge_offsets"_a, "tails"_a, "edge_rules"_a, "spans"_a, "features"_a,
           "sources"_a, "targets"_a, "links"_a, "rule_features"_a, "rule_ids"_a, "words"_a, "feature_names"_a,
           nb::call_guard<GilReleased>())
      .def_prop_ro("node_count", &forest::Forest::node_count)
      .def_prop_ro("edge_count", &forest::Forest::edge_count)
      .def_prop_ro("rule_count", &forest::Forest::rule_count)
      .def(
          "scores",
          [](const forest::Forest& self, const Vector<double>& weights) {
            return to_numpy(without_gil([&] { return self.scores(view(weights)); }));
          },
          "weights"_a)
      .def_prop_ro("names", [](const forest::Forest& self) { return to_python(self.shared_names()); })
      .def_prop_ro("edge_offsets",
                   [](nb::handle self) { return view_of(self, forest(self).arrays().edge_offsets); })
      .def_prop_ro("tail_offsets",
                   [](nb::handle self) { return view_of(self, forest(self).arrays().tails.offsets); })
      .def_prop_ro("tails", [](nb::handle self) { return view_of(self, forest(self).arrays().tails.values); })
      .def_prop_ro("edge_rules",
                   [](nb::handle self) { return view_of(self, forest(self).arrays().edge_rules); })
      .def_prop_ro("spans", [](nb::handle self) { return pairs_of(self, forest(self).arrays().spans); })
      .def_prop_ro("edge_feature_offsets",
                   [](nb::handle self) { return view_of(self, forest(self).arrays().features.offsets); })
      .def_prop_ro("edge_feature_columns",
                   [](nb::handle self) { return columns(self, forest(self).arrays().features); })
      .def_prop_ro("edge_feature_values",
                   [](nb::handle self) { return values(self, forest(self).arrays().features); });
  bound
      .def_prop_ro("source_offsets",
                   [](nb::handle self) { return view_of(self, forest(self).rules().sources.offsets); })
      .def_prop_ro("sources",
                   [](nb::handle self) { return view_of(self, forest(self).rules().sources.values); })
      .def_prop_ro("target_offsets",
                   [](nb::handle self) { return view_of(self, forest(self).rules().targets.offsets); })
      .def_prop_ro("targets",
                   [](nb::handle self) { return view_of(self, forest(self).rules().targets.values); })
      .def_prop_ro("link_offsets",
                   [](nb::handle self) { return view_of(self, forest(self).rules().links.offsets); })
      .def_prop_ro("links", [](nb::handle self) { return pairs_of(self, forest(self).rules().links.values); })
      .def_prop_ro("rule_ids", [](nb::handle self) { return view_of(self, forest(self).rules().ids); })
      .def_prop_ro("rule_feature_offsets",
                   [](nb::handle self) { return view_of(self, forest(self).rules().features.offsets); })
      .def_prop_ro("rule_feature_columns",
                   [](nb::handle self) { return columns(self, forest(self).rules().features); })
      .def_prop_ro("rule_feature_values",
                   [](nb::handle self) { return values(self, forest(self).rules().features); });
}

}  // namespace tunesmith::bind
