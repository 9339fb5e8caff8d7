#include "tunesmith/pool_merge.h"

#include <nanobind/stl/pair.h>

#include <optional>

#include "bind.h"
#include "pool_arrays.h"

namespace tunesmith::bind {

namespace {

/// The arrays of one pool to merge, as Python hands them over.
struct Part {
  Vector<int64_t> lists, offsets;
  Vector<int32_t> columns;
  Vector<double> values;
  Vector<uint8_t> text_blob;
  Vector<int64_t> text_offsets;
  Matrix<double> scores;
  Vector<int64_t> targets;
  Vector<int32_t> new_columns;

  PoolPart view() const {
    const Csr features{bind::view(offsets), bind::view(columns), bind::view(values), new_columns.size()};
    check_csr(features);
    return {{bind::view(lists), features},
            texts(text_blob, text_offsets),
            bind::view(scores),
            bind::view(targets),
            bind::view(new_columns)};
  }
};

struct Merged {
  NewVector<int64_t> lists, rows, offsets;
  NewVector<int32_t> columns;
  NewVector<double> values;
  TextArray texts;
};

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<Part>(m, "PoolPart", "A pool to merge, and where its lists and features go.")
      .def(nb::init<Vector<int64_t>, Vector<int64_t>, Vector<int32_t>, Vector<double>, Vector<uint8_t>,
                    Vector<int64_t>, Matrix<double>, Vector<int64_t>, Vector<int32_t>>(),
           "lists"_a, "offsets"_a, "columns"_a, "values"_a, "text_blob"_a, "text_offsets"_a, "scores"_a,
           "targets"_a, "new_columns"_a);
  nb::class_<Merged>(m, "MergedPool", "The union; `rows` are places in the parts laid one after another.")
      .def_ro("lists", &Merged::lists, nb::rv_policy::automatic)
      .def_ro("rows", &Merged::rows, nb::rv_policy::automatic)
      .def_ro("offsets", &Merged::offsets, nb::rv_policy::automatic)
      .def_ro("columns", &Merged::columns, nb::rv_policy::automatic)
      .def_ro("values", &Merged::values, nb::rv_policy::automatic)
      .def_ro("texts", &Merged::texts, nb::rv_policy::automatic);
  m.def(
      "merge_pools",
      [](const std::vector<const Part*>& pools, size_t lists, int threads) {
        std::vector<PoolPart> parts;
        for (const Part* pool : pools) parts.push_back(pool->view());
        MergedPool merged;
        {
          nb::gil_scoped_release release;
          merged = merge_pools(parts, lists, threads);
        }
        return Merged{to_numpy(std::move(merged.lists)),   to_numpy(std::move(merged.rows)),
                      to_numpy(std::move(merged.offsets)), to_numpy(std::move(merged.columns)),
                      to_numpy(std::move(merged.values)),  to_numpy(std::move(merged.texts))};
      },
      "parts"_a, "lists"_a, "threads"_a, "The union of pools, list by list, each candidate once.");
});

}  // namespace tunesmith::bind
