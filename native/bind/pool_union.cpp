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
  size_t width;
  Vector<uint8_t> text_blob;
  Vector<int64_t> text_offsets;
  Matrix<double> scores;
  Vector<int64_t> targets;

  PoolPart view() const {
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

  std::vector<int64_t> add(const Part& part, int threads) {
    parts.push_back(part);
    try {
      const PoolPart viewed = part.view();
      return without_gil([&] { return pools.add(viewed, threads); });
    } catch (...) {
      parts.pop_back();
      throw;
    }
  }
};

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<Part>(m, "PoolPart", "A pool to unite with others.")
      .def(
          "__init__",
          [](Part* self, Vector<int64_t> lists, Vector<int64_t> offsets, Vector<int32_t> columns,
             Vector<double> values, size_t width, Vector<uint8_t> text_blob, Vector<int64_t> text_offsets,
             Matrix<double> scores, Vector<int64_t> targets) {
            new (self) Part{lists, offsets, columns, values, width, text_blob, text_offsets, scores, targets};
          },
          "lists"_a.noconvert(), "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(),
          "width"_a, "text_blob"_a.noconvert(), "text_offsets"_a.noconvert(), "scores"_a.noconvert(),
          "targets"_a.noconvert(), "`targets` are the places of its lists in the union.");

  nb::class_<Union>(m, "PoolUnion", "Which candidates of pools that come one after another are new.")
      .def(nb::init<>())
      .def(
          "find_new",
          [](const Union& self, const Part& part, int threads) {
            const PoolPart viewed = part.view();
            return to_numpy(without_gil([&] { return self.pools.find_new(viewed, threads); }));
          },
          "part"_a, "threads"_a, "The rows of a pool that equal no candidate so far.")
      .def(
          "add", [](Union& self, const Part& part, int threads) { return to_numpy(self.add(part, threads)); },
          "part"_a, "threads"_a,
          "The rows of a pool that equal no candidate before them; the union keeps the arrays.");
});

}  // namespace tunesmith::bind
