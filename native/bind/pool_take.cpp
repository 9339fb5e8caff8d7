#include "tunesmith/pool_take.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include "bind.h"
#include "pool_arrays.h"

namespace tunesmith::bind {

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
        return to_numpy(std::move(taken));
      },
      "blob"_a, "offsets"_a, "rows"_a, "The chosen texts, as (blob, offsets).");
  m.def(
      "take_rows",
      [](Vector<int64_t> offsets, Vector<int32_t> columns, Vector<double> values, Vector<int64_t> rows) {
        check_offsets(view(offsets), values.size(), "feature matrix");
        check_offsets(view(offsets), columns.size(), "feature matrix");
        CsrArrays taken;
        {
          nb::gil_scoped_release release;
          taken = take_rows({view(offsets), view(columns), view(values)}, view(rows));
        }
        return std::make_tuple(to_numpy(std::move(taken.offsets)), to_numpy(std::move(taken.columns)),
                               to_numpy(std::move(taken.values)));
      },
      "offsets"_a, "columns"_a, "values"_a, "rows"_a, "The chosen rows, as (offsets, columns, values).");
});

}  // namespace tunesmith::bind
