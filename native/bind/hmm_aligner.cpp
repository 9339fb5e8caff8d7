#include "tunesmith/hmm_aligner.h"

#include "aligner.h"

namespace tunesmith::bind {

namespace {

std::vector<double> copy(const Vector<double>& values) { return {view(values).begin(), view(values).end()}; }

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<HmmModel>(m, "HmmModel", "The probability of no partner, and the weights of jumps, both ways.")
      .def(
          "__init__",
          [](HmmModel* self, double null) {
            if (!(null > 0 && null < 1))
              throw InputError("the probability of no partner must be between 0 and 1");
            new (self) HmmModel{null, {}};
          },
          "null"_a)
      .def(
          "set_jumps",
          [](HmmModel& self, const Vector<double>& forward, const Vector<double>& reverse) {
            self.widths = {JumpWidths(copy(forward)), JumpWidths(copy(reverse))};
          },
          "forward"_a, "reverse"_a)
      .def("jumps",
           [](const HmmModel& self) {
             return std::pair(to_numpy(std::vector<double>(self.widths.forward.weights())),
                              to_numpy(std::vector<double>(self.widths.reverse.weights())));
           })
      .def(
          "expect",
          [](HmmModel& self, BoundCells& cells, LexicalCounts& counts, bool agree, int rounds, int threads) {
            if (counts.pairs.size() != cells.table->probabilities.size())
              throw InputError("the counts are those of another table");
            nb::gil_scoped_release release;
            BothWays<JumpCounts> jumps;
            const BothWays<double> likelihood =
                expect_hmm(cells.cells, *cells.table, self, agree, counts, jumps, threads);
            const double unit = 1.0 / static_cast<double>(counts.one());
            self.widths = {update_jumps(self.widths.forward, jumps.forward, unit, rounds),
                           update_jumps(self.widths.reverse, jumps.reverse, unit, rounds)};
            return pair_of(likelihood);
          },
          "cells"_a, "counts"_a, "agree"_a, "rounds"_a, "threads"_a,
          "The E step, and the M step of the jumps: the log likelihoods before it.")
      .def(
          "decode",
          [](const HmmModel& self, BoundCells& cells, int threads) {
            BothWays<PairLinks> links;
            {
              nb::gil_scoped_release release;
              links = decode_hmm(cells.cells, *cells.table, self, threads);
            }
            return std::pair(to_numpy(std::move(links.forward)), to_numpy(std::move(links.reverse)));
          },
          "cells"_a, "threads"_a)
      .def(
          "posteriors",
          [](const HmmModel& self, BoundCells& cells, bool reverse, int threads) {
            std::vector<float> values;
            {
              nb::gil_scoped_release release;
              values = hmm_posteriors(cells.cells, *cells.table, self, reverse, threads);
            }
            return to_numpy(std::move(values));
          },
          "cells"_a, "reverse"_a, "threads"_a);
});

}  // namespace tunesmith::bind
