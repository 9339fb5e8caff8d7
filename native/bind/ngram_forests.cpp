#include "tunesmith/ngram_forests.h"

#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include "forest.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  nb::class_<PackedNgramForest>(m, "PackedNgramForest", "A compiled forest; see ngram_forest.h.")
      .def_prop_ro("edge_count", [](const PackedNgramForest& forest) { return forest.view().edge_count(); })
      .def_prop_ro("bytes", [](const PackedNgramForest& forest) { return forest.arrays().bytes().size(); });
  m.def(
      "pack_ngram_forest",
      [](const Forest& forest, const Vector<uint32_t>& columns, const Vector<uint8_t>& blob,
         const Vector<int64_t>& offsets, size_t order, size_t max_nodes, size_t max_edges) {
        const Texts references = texts(blob, offsets);
        return without_gil([&] {
          return std::make_unique<PackedNgramForest>(forest, view(columns), references, order,
                                                     RefinementLimits{max_nodes, max_edges});
        });
      },
      "forest"_a, "columns"_a, "blob"_a, "offsets"_a, "order"_a, "max_nodes"_a, "max_edges"_a,
      "Compile a forest for learners of n-gram expectations.");
  nb::class_<NgramForests>(m, "NgramForests", "Compiled forests of a corpus; see ngram_forests.h.")
      .def(nb::init<size_t, size_t, uint64_t, std::string>(), "order"_a, "width"_a, "memory_limit"_a,
           "folder"_a)
      .def(
          "add",
          [](NgramForests& self, PackedNgramForest& forest) {
            without_gil([&] { self.add(std::move(forest)); });
          },
          "forest"_a, "Take a forest over; the packed one is empty after it.")
      .def("__len__", &NgramForests::size)
      .def_prop_ro("edge_count", &NgramForests::edge_count)
      .def_prop_ro("bytes", &NgramForests::bytes)
      .def_prop_ro("bytes_on_disk", &NgramForests::bytes_on_disk)
      .def(
          "references",
          [](const NgramForests& self) {
            return std::tuple(to_numpy(std::vector(self.offsets())), to_numpy(std::vector(self.lengths())),
                              to_numpy(std::vector(self.limits())),
                              to_numpy(std::vector(self.reference_lengths()), self.reference_count()));
          },
          "(offsets, lengths, limits, reference lengths)")
      .def(
          "expected",
          [](const NgramForests& self, const Vector<double>& weights, double scale, int threads) {
            ExpectedCounts found =
                without_gil([&] { return self.expected({view(weights), scale}, threads); });
            return std::tuple(to_numpy(std::move(found.counts)),
                              to_numpy(std::move(found.totals), self.order()),
                              to_numpy(std::move(found.entropy)));
          },
          "weights"_a, "scale"_a, "threads"_a, "(counts, totals, entropy)")
      .def(
          "reward",
          [](const NgramForests& self, const Vector<double>& weights, double scale,
             const Vector<double>& counts, const Matrix<double>& totals, double temperature, int threads) {
            ExpectedReward found = without_gil([&] {
              return self.reward({view(weights), scale}, {view(counts), {totals.data(), totals.size()}},
                                 temperature, threads);
            });
            return std::tuple(found.mean, found.entropy, to_numpy(std::move(found.gradient)));
          },
          "weights"_a, "scale"_a, "counts"_a, "totals"_a, "temperature"_a, "threads"_a,
          "(E[r], H, gradient of E[r] + temperature x H)");
});

}  // namespace tunesmith::bind
