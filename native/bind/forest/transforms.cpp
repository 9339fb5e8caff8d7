#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "bind/forest/derivations.h"
#include "bind/forest/names.h"
#include "bind/forest/refinement.h"
#include "tunesmith/forest/borders.h"
#include "tunesmith/forest/context.h"
#include "tunesmith/forest/intersection.h"
#include "tunesmith/forest/prune.h"
#include "tunesmith/forest/reference_ngrams.h"
#include "tunesmith/forest/trim.h"
#include "tunesmith/forest/union.h"

namespace tunesmith::bind {

namespace {

void add_forest_prune(nb::module_& m) {
  m.def(
      "pruned_edges",
      [](const forest::Forest& forest, const Vector<double>& scores, std::optional<double> beam,
         std::optional<double> posterior, std::optional<size_t> edges) {
        forest::PruneLimits limits;
        limits.beam = beam.value_or(limits.beam);
        limits.posterior = posterior.value_or(limits.posterior);
        limits.edges = edges.value_or(limits.edges);
        return to_numpy(without_gil([&] { return forest::pruned_edges(forest, view(scores), limits); }));
      },
      "forest"_a, "scores"_a, "beam"_a.none(), "posterior"_a.none(), "edges"_a.none(),
      "Which edges pass the limits.");
}

void add_forest_trim(nb::module_& m) {
  m.def(
      "useful_edges",
      [](const forest::Forest& forest, const Vector<uint8_t>& keep) {
        return to_numpy(without_gil([&] { return forest::useful_edges(forest, view(keep)); }));
      },
      "forest"_a, "keep"_a, "Which kept edges are part of a derivation of kept edges.");
  m.def(
      "trim",
      [](const forest::Forest& forest, const Vector<uint8_t>& keep) {
        return without_gil([&] { return forest::trim(forest, view(keep)); });
      },
      "forest"_a, "keep"_a, "The forest of the useful edges among the kept ones.");
}

void add_forest_union(nb::module_& m) {
  m.def(
      "unite_forests",
      [](const std::vector<const forest::Forest*>& forests) {
        return without_gil([&] { return forest::unite_forests(forests); });
      },
      "forests"_a, "One forest with the derivations of all.");
}

void add_forest_context(nb::module_& m) {
  m.def(
      "has_local_context",
      [](const forest::Forest& forest, size_t n) {
        return without_gil([&] { return forest::local_contexts(forest, n).has_value(); });
      },
      "forest"_a, "n"_a);
  m.def(
      "expand_context",
      [](const forest::Forest& forest, size_t n, size_t max_nodes, size_t max_edges) {
        return to_python(
            without_gil([&] { return forest::expand_context(forest, n, {max_nodes, max_edges}); }));
      },
      "forest"_a, "n"_a, "max_nodes"_a, "max_edges"_a);
  m.def(
      "has_reference_context",
      [](const forest::Forest& forest, size_t n, const Vector<uint8_t>& blob,
         const Vector<int64_t>& offsets) {
        const Texts references = texts(blob, offsets);
        return without_gil([&] {
          return forest::local_contexts(forest, n, forest::ReferenceNgrams(forest, references, n).view())
              .has_value();
        });
      },
      "forest"_a, "n"_a, "blob"_a, "offsets"_a);
  m.def(
      "expand_reference_context",
      [](const forest::Forest& forest, size_t n, const Vector<uint8_t>& blob, const Vector<int64_t>& offsets,
         size_t max_nodes, size_t max_edges) {
        const Texts references = texts(blob, offsets);
        return to_python(without_gil([&] {
          return forest::expand_context(forest, n, {max_nodes, max_edges},
                                        forest::ReferenceNgrams(forest, references, n).view());
        }));
      },
      "forest"_a, "n"_a, "blob"_a, "offsets"_a, "max_nodes"_a, "max_edges"_a);
}

void add_forest_borders(nb::module_& m) {
  m.def(
      "with_borders",
      [](const forest::Forest& forest) {
        forest::BorderedForest made = without_gil([&] { return forest::with_borders(forest); });
        return std::make_tuple(std::move(made.forest), made.words.begin, made.words.end);
      },
      "forest"_a, "The forest with sentence markers around each yield, and the numbers of the two markers.");
}

void add_forest_intersection(nb::module_& m) {
  m.def(
      "intersect_target",
      [](const forest::Forest& forest, const Vector<uint8_t>& blob, const Vector<int64_t>& offsets,
         bool prefix, size_t max_nodes, size_t max_edges) {
        const Texts words = texts(blob, offsets);
        return to_python(without_gil([&] {
          std::vector<std::string_view> target;
          for (size_t i = 0; i < words.size(); ++i) target.push_back(words[i]);
          return forest::intersect_target(forest, target, prefix, {max_nodes, max_edges});
        }));
      },
      "forest"_a, "blob"_a, "offsets"_a, "prefix"_a, "max_nodes"_a, "max_edges"_a);
}

}  // namespace

void bind_forest_transforms(nb::module_& m) {
  add_forest_prune(m);
  add_forest_trim(m);
  add_forest_union(m);
  add_forest_context(m);
  add_forest_borders(m);
  add_forest_intersection(m);
}

}  // namespace tunesmith::bind
