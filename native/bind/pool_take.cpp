#include "tunesmith/pool_take.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "bind.h"
#include "pool_arrays.h"

namespace tunesmith::bind {

namespace {

using MatrixArrays = std::tuple<Vector<int64_t>, Vector<int32_t>, Vector<double>>;

Csr matrix(const MatrixArrays& arrays, size_t width = 0) {
  const auto& [offsets, columns, values] = arrays;
  if (columns.size() != values.size())
    throw InputError("feature matrix: columns and values differ in number");
  return {view(offsets), view(columns), view(values), width};
}

auto to_numpy(CsrArrays&& arrays) {
  return std::make_tuple(bind::to_numpy(std::move(arrays.offsets)), bind::to_numpy(std::move(arrays.columns)),
                         bind::to_numpy(std::move(arrays.values)));
}

}  // namespace

static const Join join([](nb::module_& m) {
  m.def(
      "take_texts",
      [](Vector<uint8_t> blob, Vector<int64_t> offsets, Vector<int64_t> rows) {
        const Texts all = texts(blob, offsets);
        TextColumn taken;
        {
          nb::gil_scoped_release release;
          taken = take_texts(all, view(rows));
        }
        return bind::to_numpy(std::move(taken));
      },
      "blob"_a, "offsets"_a, "rows"_a, "The chosen texts, as (blob, offsets).");
  m.def(
      "take_rows",
      [](const std::vector<MatrixArrays>& parts, Vector<int64_t> rows) {
        std::vector<Csr> matrices;
        for (const MatrixArrays& part : parts) matrices.push_back(matrix(part));
        return to_numpy(without_gil([&] { return take_rows(matrices, view(rows)); }));
      },
      "parts"_a, "rows"_a,
      "The chosen rows of matrices laid one after another, all as (offsets, columns, values).");
  m.def(
      "renumber",
      [](const MatrixArrays& arrays, Vector<int32_t> columns, size_t filled) {
        const Csr old = matrix(arrays, columns.size());
        check_csr(old);
        return to_numpy(without_gil([&] { return renumber(old, view(columns), filled); }));
      },
      "matrix"_a, "columns"_a, "filled"_a, "A matrix with other columns, the first ones in every row.");
});

}  // namespace tunesmith::bind
