#include "tunesmith/mixture_aligner.h"

#include "aligner.h"

namespace tunesmith::bind {

namespace {

struct LengthTable {
  std::vector<LengthPair> lengths;
};

MixturePrior prior_of(double null, const Pair& tension) {
  if (!(null < 1)) throw InputError("the probability of no partner must be below 1");
  for (const double each : {tension.first, tension.second})
    if (!(each >= 0 && each <= 14)) throw InputError("the tension must be from 0 to 14");
  return {null, {tension.first, tension.second}};
}

TensionGradient gradient_of(bool likelihood) {
  return likelihood ? TensionGradient::kLikelihood : TensionGradient::kFastAlign;
}

}  // namespace

static const Join join([](nb::module_& m) {
  m.def(
      "expect_mixture",
      [](BoundCells& cells, LexicalCounts& counts, double null, const Pair& tension, bool likelihood_gradient,
         bool agree, int threads) {
        MixturePrior prior = prior_of(null, tension);
        prior.gradient = gradient_of(likelihood_gradient);
        if (counts.pairs.size() != cells.table->probabilities.size())
          throw InputError("the counts are those of another table");
        MixtureSummary sum;
        {
          nb::gil_scoped_release release;
          sum = expect_mixture(cells.cells, *cells.table, prior, agree, counts, threads);
        }
        return std::pair(pair_of(sum.likelihood), pair_of(sum.feature));
      },
      "cells"_a, "counts"_a, "null"_a, "tension"_a, "likelihood_gradient"_a, "agree"_a, "threads"_a,
      "The E step: log likelihood and observed feature, each (forward, reverse).");
  m.def(
      "decode_mixture",
      [](BoundCells& cells, double null, const Pair& tension, int threads) {
        const MixturePrior prior = prior_of(null, tension);
        BothWays<PairLinks> links;
        {
          nb::gil_scoped_release release;
          links = decode_mixture(cells.cells, *cells.table, prior, threads);
        }
        return std::pair(to_numpy(std::move(links.forward)), to_numpy(std::move(links.reverse)));
      },
      "cells"_a, "null"_a, "tension"_a, "threads"_a, "The best links: forward, reverse.");
  m.def(
      "mixture_posteriors",
      [](BoundCells& cells, double null, const Pair& tension, bool reverse, int threads) {
        const MixturePrior prior = prior_of(null, tension);
        std::vector<float> values;
        {
          nb::gil_scoped_release release;
          values = mixture_posteriors(cells.cells, *cells.table, prior, reverse, threads);
        }
        return to_numpy(std::move(values));
      },
      "cells"_a, "null"_a, "tension"_a, "reverse"_a, "threads"_a);

  nb::class_<LengthTable>(m, "LengthPairs", "How often each pair of lengths occurs.")
      .def(
          "__init__",
          [](LengthTable* self, const BoundCells& cells) {
            new (self) LengthTable{length_pairs(cells.cells.source(), cells.cells.target())};
          },
          "cells"_a)
      .def(
          "update_tension",
          [](const LengthTable& self, double tension, double observed, bool likelihood_gradient, bool reverse,
             int steps, int threads) {
            nb::gil_scoped_release release;
            return update_tension(self.lengths, tension, observed, gradient_of(likelihood_gradient), reverse,
                                  steps, threads);
          },
          "tension"_a, "observed"_a, "likelihood_gradient"_a, "reverse"_a, "steps"_a, "threads"_a);
});

}  // namespace tunesmith::bind
