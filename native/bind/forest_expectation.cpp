#include "tunesmith/forest_expectation.h"

#include <nanobind/stl/tuple.h>

#include "derivations.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "edge_expectation",
      [](const Forest& forest, const Vector<double>& scores, const Vector<double>& values) {
        EdgeExpectation found =
            without_gil([&] { return edge_expectation(forest, view(scores), view(values)); });
        return std::tuple(found.log_partition, found.mean, found.variance,
                          to_numpy(std::move(found.posteriors)), to_numpy(std::move(found.covariances)));
      },
      "forest"_a, "scores"_a, "values"_a, "log Z, E[r], Var[r], and E[c_e] and Cov[r, c_e] of each edge.");
  m.def(
      "feature_sums",
      [](const Forest& forest, const Vector<double>& values) {
        return to_numpy(without_gil([&] { return feature_sums(forest, view(values)); }));
      },
      "forest"_a, "values"_a, "The features of the edges, each edge times its value, summed.");
  m.def(
      "expected_statistics",
      [](const Vector<double>& posteriors, const Matrix<double>& statistics) {
        const MatrixView rows = view(statistics);
        return to_numpy(
            without_gil([&] { return expected_statistics(view(posteriors), rows.values, rows.width); }));
      },
      "posteriors"_a, "statistics"_a, "Posteriors times statistics.");
});

}  // namespace tunesmith::bind
