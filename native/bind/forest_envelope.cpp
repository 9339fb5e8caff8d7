#include "tunesmith/forest_envelope.h"

#include <nanobind/stl/tuple.h>

#include "derivations.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "forest_envelope",
      [](const Forest& forest, const Vector<double>& scores, const Vector<double>& slopes, double low,
         double high) {
        std::vector<double> from, rises;
        std::vector<Derivation> winners;
        without_gil([&] {
          ForestEnvelope envelope;
          envelope.find(forest, view(scores), view(slopes), {low, high});
          for (size_t i = 0; i < envelope.size(); ++i) {
            if (i > 0) from.push_back(envelope.from(i));
            rises.push_back(envelope.slope(i));
            winners.push_back({envelope.intercept(i), envelope.edges(forest, i)});
          }
        });
        auto [intercepts, offsets, edges] = derivation_arrays(winners);
        return std::tuple(to_numpy(std::move(from)), to_numpy(std::move(rises)), intercepts, offsets, edges);
      },
      "forest"_a, "scores"_a, "slopes"_a, "low"_a, "high"_a,
      "Thresholds, and of each winner its slope, its intercept, and its edges by offset.");
});

}  // namespace tunesmith::bind
