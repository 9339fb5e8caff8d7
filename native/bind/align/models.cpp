#include "bind/align/aligner.h"
#include "tunesmith/align/hmm.h"
#include "tunesmith/align/mixture.h"

namespace tunesmith::bind {

namespace {

struct LengthTable {
  std::vector<align::LengthPair> lengths;
};

align::MixturePrior prior_of(double null, const Pair& tension) {
  if (!(null < 1)) throw InputError("the probability of no partner must be below 1");
  for (const double each : {tension.first, tension.second})
    if (!(each >= 0 && each <= 14)) throw InputError("the tension must be from 0 to 14");
  return {null, {tension.first, tension.second}};
}

align::TensionGradient gradient_of(bool likelihood) {
  return likelihood ? align::TensionGradient::kLikelihood : align::TensionGradient::kFastAlign;
}

void add_mixture_aligner(nb::module_& m) {
  m.def(
      "expect_mixture",
      [](BoundCells& cells, align::LexicalCounts& counts, double null, const Pair& tension,
         bool likelihood_gradient, bool agree, int threads) {
        align::MixturePrior prior = prior_of(null, tension);
        prior.gradient = gradient_of(likelihood_gradient);
        if (counts.pairs.size() != cells.table->probabilities.size())
          throw InputError("the counts belong to another table");
        const align::MixtureSummary sum = without_gil(
            [&] { return align::expect_mixture(cells.cells, *cells.table, prior, agree, counts, threads); });
        return std::pair(pair_of(sum.likelihood), pair_of(sum.feature));
      },
      "cells"_a, "counts"_a, "null"_a, "tension"_a, "likelihood_gradient"_a, "agree"_a, "threads"_a,
      "The E step: log likelihood and observed feature, each (forward, reverse).");
  m.def(
      "decode_mixture",
      [](BoundCells& cells, double null, const Pair& tension, int threads) {
        const align::MixturePrior prior = prior_of(null, tension);
        align::BothWays<align::PairLinks> links =
            without_gil([&] { return align::decode_mixture(cells.cells, *cells.table, prior, threads); });
        return std::pair(to_numpy(std::move(links.forward)), to_numpy(std::move(links.reverse)));
      },
      "cells"_a, "null"_a, "tension"_a, "threads"_a, "The best links: forward, reverse.");
  m.def(
      "mixture_posteriors",
      [](BoundCells& cells, double null, const Pair& tension, bool reverse, int threads) {
        const align::MixturePrior prior = prior_of(null, tension);
        return to_numpy(without_gil(
            [&] { return align::mixture_posteriors(cells.cells, *cells.table, prior, reverse, threads); }));
      },
      "cells"_a, "null"_a, "tension"_a, "reverse"_a, "threads"_a);

  nb::class_<LengthTable>(m, "LengthPairs", "Number of sentence pairs with each pair of lengths.")
      .def(
          "__init__",
          [](LengthTable* self, const BoundCells& cells) {
            new (self) LengthTable{align::length_pairs(cells.cells.source(), cells.cells.target())};
          },
          "cells"_a)
      .def(
          "update_tension",
          [](const LengthTable& self, double tension, double observed, bool likelihood_gradient, bool reverse,
             int steps, int threads) {
            return without_gil([&] {
              return align::update_tension(self.lengths, tension, observed, gradient_of(likelihood_gradient),
                                           reverse, steps, threads);
            });
          },
          "tension"_a, "observed"_a, "likelihood_gradient"_a, "reverse"_a, "steps"_a, "threads"_a);
}

std::vector<double> copy(const Vector<double>& values) { return {view(values).begin(), view(values).end()}; }

void add_hmm_aligner(nb::module_& m) {
  nb::class_<align::HmmModel>(m, "HmmModel", "The null probability, and the jump weights of both directions.")
      .def(
          "__init__",
          [](align::HmmModel* self, double null) {
            if (!(null > 0 && null < 1))
              throw InputError("the probability of no partner must be between 0 and 1");
            new (self) align::HmmModel{null, {}};
          },
          "null"_a)
      .def(
          "set_jumps",
          [](align::HmmModel& self, const Vector<double>& forward, const Vector<double>& reverse) {
            self.widths = {align::JumpWidths(copy(forward)), align::JumpWidths(copy(reverse))};
          },
          "forward"_a, "reverse"_a)
      .def("jumps",
           [](const align::HmmModel& self) {
             return std::pair(to_numpy(std::vector<double>(self.widths.forward.weights())),
                              to_numpy(std::vector<double>(self.widths.reverse.weights())));
           })
      .def(
          "expect",
          [](align::HmmModel& self, BoundCells& cells, align::LexicalCounts& counts, bool agree, int rounds,
             int threads) {
            if (counts.pairs.size() != cells.table->probabilities.size())
              throw InputError("the counts belong to another table");
            return without_gil([&] {
              align::BothWays<align::JumpCounts> jumps;
              const align::BothWays<double> likelihood =
                  align::expect_hmm(cells.cells, *cells.table, self, agree, counts, jumps, threads);
              const double unit = 1.0 / static_cast<double>(counts.one());
              self.widths = {align::update_jumps(self.widths.forward, jumps.forward, unit, rounds),
                             align::update_jumps(self.widths.reverse, jumps.reverse, unit, rounds)};
              return pair_of(likelihood);
            });
          },
          "cells"_a, "counts"_a, "agree"_a, "rounds"_a, "threads"_a,
          "The E step, and the M step of the jumps. Returns the log likelihoods before it.")
      .def(
          "decode",
          [](const align::HmmModel& self, BoundCells& cells, int threads) {
            align::BothWays<align::PairLinks> links =
                without_gil([&] { return align::decode_hmm(cells.cells, *cells.table, self, threads); });
            return std::pair(to_numpy(std::move(links.forward)), to_numpy(std::move(links.reverse)));
          },
          "cells"_a, "threads"_a)
      .def(
          "posteriors",
          [](const align::HmmModel& self, BoundCells& cells, bool reverse, int threads) {
            return to_numpy(without_gil(
                [&] { return align::hmm_posteriors(cells.cells, *cells.table, self, reverse, threads); }));
          },
          "cells"_a, "reverse"_a, "threads"_a);
}

}  // namespace

void bind_align_models(nb::module_& m) {
  add_mixture_aligner(m);
  add_hmm_aligner(m);
}

}  // namespace tunesmith::bind
