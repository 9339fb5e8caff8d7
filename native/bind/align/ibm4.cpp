#include "tunesmith/align/ibm4.h"

#include "bind/align/aligner.h"

namespace tunesmith::bind {

namespace {

std::vector<int32_t> classes_of(const Vector<int32_t>& given, int count) {
  std::vector<int32_t> classes(view(given).begin(), view(given).end());
  for (const int32_t each : classes)
    if (each >= count) throw InputError("the number of a word class is out of range");
  return classes;
}

template <class T>
std::vector<T> table_of(const Vector<T>& values, size_t size) {
  if (view(values).size() != size)
    throw InputError("a table of model 4 has " + std::to_string(view(values).size()) + " entries; expected " +
                     std::to_string(size));
  return {view(values).begin(), view(values).end()};
}

}  // namespace

void bind_align_ibm4(nb::module_& m) {
  nb::class_<align::Ibm4Model>(m, "Ibm4Model", "Fertilities and distortions of both directions.")
      .def(
          "__init__",
          [](align::Ibm4Model* self, const align::HmmModel& hmm, double null,
             const Vector<int32_t>& source_classes, const Vector<int32_t>& target_classes, int classes) {
            if (!(null > 0 && null < 1))
              throw InputError("the probability of no partner must be between 0 and 1");
            if (classes < 1) throw InputError("model 4 needs at least one word class");
            const auto count = static_cast<size_t>(classes);
            const auto source = classes_of(source_classes, classes),
                       target = classes_of(target_classes, classes);
            new (self) align::Ibm4Model{hmm,
                                        null,
                                        {align::Ibm4Side({source, target, count, count}),
                                         align::Ibm4Side({target, source, count, count})}};
          },
          "hmm"_a, "null"_a, "source_classes"_a, "target_classes"_a, "classes"_a)
      .def(
          "tables",
          [](const align::Ibm4Model& self, bool reverse) {
            const align::Ibm4Tables& tables = (reverse ? self.sides.reverse : self.sides.forward).tables;
            return std::pair(to_numpy(std::vector<float>(tables.distortion)),
                             to_numpy(std::vector<float>(tables.fertility)));
          },
          "reverse"_a, "Log probabilities of a direction: distortions, fertilities.")
      .def(
          "set_tables",
          [](align::Ibm4Model& self, bool reverse, const Vector<float>& distortion,
             const Vector<float>& fertility) {
            align::Ibm4Side& side = reverse ? self.sides.reverse : self.sides.forward;
            side.tables = {table_of(distortion, side.layout.distortions()),
                           table_of(fertility, side.layout.fertilities())};
          },
          "reverse"_a, "distortion"_a, "fertility"_a)
      .def(
          "start",
          [](align::Ibm4Model& self, BoundCells& cells, int threads) {
            without_gil([&] { align::start_ibm4(cells.cells, *cells.table, self, threads); });
          },
          "cells"_a, "threads"_a, "Estimates the tables from the Viterbi alignments of the HMM.")
      .def(
          "expect",
          [](align::Ibm4Model& self, BoundCells& cells, align::LexicalCounts& counts, bool agree,
             int threads) {
            if (counts.pairs.size() != cells.table->probabilities.size())
              throw InputError("the counts belong to another table");
            return pair_of(without_gil(
                [&] { return align::expect_ibm4(cells.cells, *cells.table, self, agree, counts, threads); }));
          },
          "cells"_a, "counts"_a, "agree"_a, "threads"_a,
          "The E step, and the M step of the tables. Returns the log likelihoods before it.")
      .def(
          "decode",
          [](const align::Ibm4Model& self, BoundCells& cells, int threads) {
            align::BothWays<align::PairLinks> links =
                without_gil([&] { return align::decode_ibm4(cells.cells, *cells.table, self, threads); });
            return std::pair(to_numpy(std::move(links.forward)), to_numpy(std::move(links.reverse)));
          },
          "cells"_a, "threads"_a)
      .def(
          "posteriors",
          [](const align::Ibm4Model& self, BoundCells& cells, bool reverse, int threads) {
            return to_numpy(without_gil(
                [&] { return align::ibm4_posteriors(cells.cells, *cells.table, self, reverse, threads); }));
          },
          "cells"_a, "reverse"_a, "threads"_a);
}

}  // namespace tunesmith::bind
