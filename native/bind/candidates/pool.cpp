#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>

#include <deque>
#include <string>

#include "bind/bind.h"
#include "bind/candidates/arrays.h"
#include "tunesmith/base/csr.h"
#include "tunesmith/base/texts.h"
#include "tunesmith/candidates/take.h"
#include "tunesmith/candidates/union.h"

namespace tunesmith::bind {

namespace {

void add_pool(nb::module_& m) {
  m.def(
      "check_offsets",
      [](Vector<int64_t> offsets, size_t total, const std::string& what) {
        check_offsets(view(offsets), total, what);
      },
      "offsets"_a, "total"_a, "what"_a,
      "Raise InputError unless offsets go from 0 to `total` without falling.");

  m.def(
      "check_csr",
      [](Vector<int64_t> offsets, Vector<int32_t> columns, Vector<double> values, size_t width) {
        without_gil([&] { check_csr({view(offsets), view(columns), view(values), width}); });
      },
      "offsets"_a, "columns"_a, "values"_a, "width"_a,
      "Raise InputError unless the matrix is well formed and finite.");

  m.def(
      "multiply",
      [](Vector<int64_t> offsets, Vector<int32_t> columns, Vector<double> values, Vector<double> weights,
         int threads) {
        std::vector<double> out(offsets.size() - 1);
        const Csr matrix{view(offsets), view(columns), view(values), weights.size()};
        without_gil([&] { multiply(matrix, view(weights), out, threads); });
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
      "Feature matrix times each row of the weights, the products concatenated.");
}

using MatrixArrays = std::tuple<Vector<int64_t>, Vector<int32_t>, Vector<double>>;

Csr matrix(const MatrixArrays& arrays, size_t width = 0) {
  const auto& [offsets, columns, values] = arrays;
  if (columns.size() != values.size())
    throw InputError("feature matrix: columns and values differ in number");
  return {view(offsets), view(columns), view(values), width};
}

auto csr_to_numpy(candidates::CsrArrays&& arrays) {
  return std::make_tuple(to_numpy(std::move(arrays.offsets)), to_numpy(std::move(arrays.columns)),
                         to_numpy(std::move(arrays.values)));
}

void add_pool_take(nb::module_& m) {
  m.def(
      "take_texts",
      [](Vector<uint8_t> blob, Vector<int64_t> offsets, Vector<int64_t> rows) {
        const Texts all = texts(blob, offsets);
        return to_numpy(without_gil([&] { return candidates::take_texts(all, view(rows)); }));
      },
      "blob"_a, "offsets"_a, "rows"_a, "The chosen texts, as (blob, offsets).");
  m.def(
      "take_rows",
      [](const std::vector<MatrixArrays>& parts, Vector<int64_t> rows) {
        std::vector<Csr> matrices;
        for (const MatrixArrays& part : parts) matrices.push_back(matrix(part));
        return csr_to_numpy(without_gil([&] { return candidates::take_rows(matrices, view(rows)); }));
      },
      "parts"_a, "rows"_a, "The chosen rows of concatenated matrices, all as (offsets, columns, values).");
  m.def(
      "renumber",
      [](const MatrixArrays& arrays, Vector<int32_t> columns, size_t filled) {
        const Csr old = matrix(arrays, columns.size());
        check_csr(old);
        return csr_to_numpy(without_gil([&] { return candidates::renumber(old, view(columns), filled); }));
      },
      "matrix"_a, "columns"_a, "filled"_a,
      "A matrix with renumbered columns; the first `filled` are stored in every row.");
}

/// The Python arrays of one pool to merge.
struct Part {
  Vector<int64_t> lists, offsets;
  Vector<int32_t> columns;
  Vector<double> values;
  size_t width;
  Vector<uint8_t> text_blob;
  Vector<int64_t> text_offsets;
  Matrix<double> scores;
  Vector<int64_t> targets;

  candidates::PoolPart view() const {
    const Csr features{bind::view(offsets), bind::view(columns), bind::view(values), width};
    return {{bind::view(lists), features},
            texts(text_blob, text_offsets),
            bind::view(scores),
            bind::view(targets)};
  }
};

/// The union, with the arrays that it views.
struct Union {
  std::deque<Part> parts;
  candidates::PoolUnion pools;

  std::vector<int64_t> add(const Part& part, int threads) {
    parts.push_back(part);
    try {
      const candidates::PoolPart viewed = part.view();
      return without_gil([&] { return pools.add(viewed, threads); });
    } catch (...) {
      parts.pop_back();
      throw;
    }
  }
};

void add_pool_union(nb::module_& m) {
  nb::class_<Part>(m, "PoolPart", "A pool to merge with others.")
      .def(
          "__init__",
          [](Part* self, Vector<int64_t> lists, Vector<int64_t> offsets, Vector<int32_t> columns,
             Vector<double> values, size_t width, Vector<uint8_t> text_blob, Vector<int64_t> text_offsets,
             Matrix<double> scores, Vector<int64_t> targets) {
            new (self) Part{lists, offsets, columns, values, width, text_blob, text_offsets, scores, targets};
          },
          "lists"_a.noconvert(), "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(),
          "width"_a, "text_blob"_a.noconvert(), "text_offsets"_a.noconvert(), "scores"_a.noconvert(),
          "targets"_a.noconvert(), "`targets` are the indices of its lists in the union.");

  nb::class_<Union>(m, "PoolUnion",
                    "Incremental union of pools: finds the candidates that are not duplicates.")
      .def(nb::init<>())
      .def(
          "find_new",
          [](const Union& self, const Part& part, int threads) {
            const candidates::PoolPart viewed = part.view();
            return to_numpy(without_gil([&] { return self.pools.find_new(viewed, threads); }));
          },
          "part"_a, "threads"_a, "The rows of a pool that equal no candidate added so far.")
      .def(
          "add", [](Union& self, const Part& part, int threads) { return to_numpy(self.add(part, threads)); },
          "part"_a, "threads"_a,
          "Add a pool; return its rows that equal no earlier candidate. The union keeps the arrays.");
}

}  // namespace

void bind_candidates_pool(nb::module_& m) {
  add_pool(m);
  add_pool_take(m);
  add_pool_union(m);
}

}  // namespace tunesmith::bind
