#include <string>

#include "bind.h"
#include "tunesmith/csr.h"
#include "tunesmith/texts.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  m.def(
      "check_offsets",
      [](Vector<int64_t> offsets, size_t total, const std::string& what) {
        check_offsets(view(offsets), total, what);
      },
      "offsets"_a, "total"_a, "what"_a, "Raise InputError unless offsets rise from 0 to `total`.");

  m.def(
      "check_csr",
      [](Vector<int64_t> offsets, Vector<int32_t> columns, Vector<double> values, size_t width) {
        nb::gil_scoped_release release;
        check_csr({view(offsets), view(columns), view(values), width});
      },
      "offsets"_a, "columns"_a, "values"_a, "width"_a,
      "Raise InputError unless the matrix is well formed and finite.");

  m.def(
      "multiply",
      [](Vector<int64_t> offsets, Vector<int32_t> columns, Vector<double> values, Vector<double> weights,
         int threads) {
        std::vector<double> out(offsets.size() - 1);
        {
          nb::gil_scoped_release release;
          multiply({view(offsets), view(columns), view(values), weights.size()}, view(weights), out, threads);
        }
        return to_numpy(std::move(out));
      },
      "offsets"_a, "columns"_a, "values"_a, "weights"_a, "threads"_a, "Feature matrix times weights.");
  m.def(
      "multiply_many",
      [](Vector<int64_t> offsets, Vector<int32_t> columns, Vector<double> values, Matrix<double> weights,
         int threads) {
        std::vector<double> out((offsets.size() - 1) * weights.shape(0));
        const Csr matrix{view(offsets), view(columns), view(values), weights.shape(1)};
        without_gil([&] { multiply_many(matrix, {weights.data(), weights.size()}, out, threads); });
        return to_numpy(std::move(out));
      },
      "offsets"_a, "columns"_a, "values"_a, "weights"_a, "threads"_a,
      "Feature matrix times each row of the weights, one product after another.");
});

}  // namespace tunesmith::bind
