#include "tunesmith/forest_prune.h"

#include <nanobind/stl/optional.h>

#include "derivations.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "pruned_edges",
      [](const Forest& forest, const Vector<double>& scores, std::optional<double> beam,
         std::optional<double> posterior, std::optional<size_t> edges) {
        PruneLimits limits;
        limits.beam = beam.value_or(limits.beam);
        limits.posterior = posterior.value_or(limits.posterior);
        limits.edges = edges.value_or(limits.edges);
        return to_numpy(without_gil([&] { return pruned_edges(forest, view(scores), limits); }));
      },
      "forest"_a, "scores"_a, "beam"_a.none(), "posterior"_a.none(), "edges"_a.none(),
      "Which edges pass the limits.");
});

}  // namespace tunesmith::bind
