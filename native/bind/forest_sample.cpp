#include "tunesmith/forest_sample.h"

#include <nanobind/stl/tuple.h>

#include "derivations.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "sample_derivations",
      [](const Forest& forest, const Vector<double>& scores, size_t count, uint64_t seed, int threads) {
        return derivation_arrays(
            without_gil([&] { return sample_derivations(forest, view(scores), count, seed, threads); }));
      },
      "forest"_a, "scores"_a, "count"_a, "seed"_a, "threads"_a, "Random derivations.");
});

}  // namespace tunesmith::bind
