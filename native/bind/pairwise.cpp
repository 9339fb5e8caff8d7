#include "tunesmith/pairwise.h"

#include <nanobind/stl/tuple.h>

#include "bind.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "sample_pairs",
      [](Vector<int64_t> lists, Vector<double> gains, size_t samples, size_t kept, double difference,
         uint64_t seed, int threads) {
        Pairs pairs;
        {
          nb::gil_scoped_release release;
          pairs = sample_pairs(view(lists), view(gains), {samples, kept, difference, seed}, threads);
        }
        return std::tuple(to_numpy(std::move(pairs.offsets)), to_numpy(std::move(pairs.better)),
                          to_numpy(std::move(pairs.worse)));
      },
      "lists"_a, "gains"_a, "samples"_a, "kept"_a, "difference"_a, "seed"_a, "threads"_a,
      "Sampled pairs: offsets by list, rows of the better and of the worse candidates.");
});

}  // namespace tunesmith::bind
