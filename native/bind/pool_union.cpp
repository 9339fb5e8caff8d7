#include "tunesmith/pool_union.h"

#include <deque>

#include "bind.h"
#include "pool_arrays.h"

namespace tunesmith::bind {

namespace {

/// The arrays of one pool to unite, as Python hands them over.
struct Part {
  Vector<int64_t> lists, offsets;
  Vector<int32_t> columns;
  Vector<double> values;
  Vector<uint8_t> text_blob;
  Vector<int64_t> text_offsets;
  Matrix<double> scores;
  Vector<int64_t> targets;

  PoolPart view(size_t width) const {
    const Csr features{bind::view(offsets), bind::view(columns), bind::view(values), width};
    return {{bind::view(lists), features},
            texts(text_blob, text_offsets),
            bind::view(scores),
            bind::view(targets)};
  }
};

/// The union, and the arrays that it views.
struct Union {
  std::deque<Part> parts;
  PoolUnion pools;
};

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<Union>(m, "PoolUnion", "Which candidates of pools that come one after another are new.")
      .def(nb::init<>())
      .def(
          "find_new",
          [](const Union& self, Vector<int64_t> lists, Vector<int64_t> offsets, Vector<int32_t> columns,
             Vector<double> values, size_t width, Vector<uint8_t> text_blob, Vector<int64_t> text_offsets,
             Matrix<double> scores, Vector<int64_t> targets, int threads) {
            const Part part{lists, offsets, columns, values, text_blob, text_offsets, scores, targets};
            const PoolPart viewed = part.view(width);
            return to_numpy(without_gil([&] { return self.pools.find_new(viewed, threads); }));
          },
          "lists"_a.noconvert(), "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(),
          "width"_a, "text_blob"_a.noconvert(), "text_offsets"_a.noconvert(), "scores"_a.noconvert(),
          "targets"_a.noconvert(), "threads"_a, "The rows of a pool that equal no candidate so far.")
      .def(
          "add",
          [](Union& self, Vector<int64_t> lists, Vector<int64_t> offsets, Vector<int32_t> columns,
             Vector<double> values, size_t width, Vector<uint8_t> text_blob, Vector<int64_t> text_offsets,
             Matrix<double> scores, Vector<int64_t> targets, int threads) {
            self.parts.push_back({lists, offsets, columns, values, text_blob, text_offsets, scores, targets});
            try {
              const PoolPart part = self.parts.back().view(width);
              return to_numpy(without_gil([&] { return self.pools.add(part, threads); }));
            } catch (...) {
              self.parts.pop_back();
              throw;
            }
          },
          "lists"_a.noconvert(), "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(),
          "width"_a, "text_blob"_a.noconvert(), "text_offsets"_a.noconvert(), "scores"_a.noconvert(),
          "targets"_a.noconvert(), "threads"_a,
          "The rows of a pool that equal no candidate before them; the union keeps the arrays.");
});

}  // namespace tunesmith::bind
