#include "tunesmith/optimizers/descent.h"

#include <nanobind/stl/tuple.h>

#include "bind/candidates/lists.h"

namespace tunesmith::bind {

void bind_optimizers_descent(nb::module_& m) {
  m.def(
      "descend",
      [](const objectives::ListLoss& loss, Vector<int64_t> lists, Vector<int64_t> offsets,
         Vector<int32_t> columns, Vector<double> values, Vector<double> weights, Vector<double> squares,
         Vector<int64_t> order, size_t batch, Vector<double> rates, double units, Vector<double> lower,
         Vector<double> upper, Vector<uint8_t> free, double l1, double l2) {
        const candidates::CandidateLists all = view_lists(lists, offsets, columns, values, weights.size());
        const optimizers::DescentPlan plan{view(order), batch, view(rates), units};
        const optimizers::DescentSpace space{view(lower), view(upper), view(free), l1, l2};
        optimizers::DescentState state;
        state.weights.assign(weights.data(), weights.data() + weights.size());
        state.squares.assign(squares.data(), squares.data() + squares.size());
        without_gil([&] {
          loss.check(all.offsets);
          optimizers::descend(all, loss, plan, space, state);
        });
        return std::tuple(to_numpy(std::move(state.weights)), to_numpy(std::move(state.squares)),
                          to_numpy(std::move(state.average)));
      },
      "loss"_a, "lists"_a, "offsets"_a, "columns"_a, "values"_a, "weights"_a, "squares"_a, "order"_a,
      "batch"_a, "rates"_a, "units"_a, "lower"_a, "upper"_a, "free"_a, "l1"_a, "l2"_a,
      "One epoch of stochastic gradient descent: (weights, squared gradients, average weights).");
}

}  // namespace tunesmith::bind
