#include "tunesmith/hope_fear.h"

#include <nanobind/stl/tuple.h>

#include "bind.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "hope_fear_pass",
      [](Vector<int64_t> lists, Vector<int64_t> offsets, Vector<int32_t> columns, Vector<double> values,
         Matrix<double> stats, const Scorer& scorer, Vector<int64_t> order, double aggressiveness,
         double decay, Vector<double> lower, Vector<double> upper, Vector<double> weights,
         Vector<double> drift, Vector<double> background, int64_t steps) {
        const auto copy = [](const Vector<double>& v) {
          return std::vector<double>(v.data(), v.data() + v.size());
        };
        HopeFearState state{copy(weights), copy(drift), copy(background), steps, 0};
        {
          nb::gil_scoped_release release;
          hope_fear_pass({view(lists), {view(offsets), view(columns), view(values), weights.size()}},
                         view(stats), scorer, view(order), aggressiveness, decay, {view(lower), view(upper)},
                         state);
        }
        return std::make_tuple(to_numpy(std::move(state.weights)), to_numpy(std::move(state.drift)),
                               to_numpy(std::move(state.background)), state.steps, state.updates);
      },
      "lists"_a, "offsets"_a, "columns"_a, "values"_a, "stats"_a, "scorer"_a, "order"_a, "aggressiveness"_a,
      "decay"_a, "lower"_a, "upper"_a, "weights"_a, "drift"_a, "background"_a, "steps"_a,
      "One pass of batch MIRA; returns weights, drift, background, steps and the number of updates.");
});

}  // namespace tunesmith::bind
