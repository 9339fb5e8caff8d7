#include "tunesmith/posteriors.h"

#include <nanobind/stl/tuple.h>

#include "derivations.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "log_partition",
      [](const Forest& forest, const Vector<double>& scores) {
        return without_gil([&] { return log_partition(forest, view(scores)); });
      },
      "forest"_a, "scores"_a, "log Z.");
  m.def(
      "log_inside",
      [](const Forest& forest, const Vector<double>& scores) {
        return to_numpy(without_gil([&] { return log_inside(forest, view(scores)); }));
      },
      "forest"_a, "scores"_a, "The log inside weight of each node.");
  m.def(
      "log_outside",
      [](const Forest& forest, const Vector<double>& scores) {
        return to_numpy(without_gil([&] { return log_outside(forest, view(scores)); }));
      },
      "forest"_a, "scores"_a, "The log outside weight of each node.");
  m.def(
      "posteriors",
      [](const Forest& forest, const Vector<double>& scores) {
        ForestPosteriors result = without_gil([&] { return posteriors(forest, view(scores)); });
        return std::tuple(result.log_partition, to_numpy(std::move(result.edges)),
                          to_numpy(std::move(result.nodes)));
      },
      "forest"_a, "scores"_a, "log Z and how often edges and nodes are used.");
  m.def(
      "max_marginals",
      [](const Forest& forest, const Vector<double>& scores) {
        return to_numpy(without_gil([&] { return max_marginals(forest, view(scores)); }));
      },
      "forest"_a, "scores"_a, "The score of the best derivation that uses each edge.");
  m.def("count_derivations", &count_derivations, "forest"_a, nb::call_guard<nb::gil_scoped_release>());
  m.def("log_count_derivations", &log_count_derivations, "forest"_a,
        nb::call_guard<nb::gil_scoped_release>());
});

}  // namespace tunesmith::bind
