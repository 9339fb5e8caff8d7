#include "tunesmith/list_loss.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>

#include "lists.h"
#include "tunesmith/best_likelihood.h"
#include "tunesmith/expected_gain.h"
#include "tunesmith/pairwise.h"
#include "tunesmith/plackett_luce.h"

namespace tunesmith::bind {

namespace {

/// A loss that keeps the arrays alive which it looks at.
template <class... Arrays>
std::shared_ptr<ListLoss> keep(ListLoss* loss, Arrays... arrays) {
  return std::shared_ptr<ListLoss>(loss, [arrays...](ListLoss* pointer) { delete pointer; });
}

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<ListLoss>(m, "ListLoss", "A loss of the model scores of one candidate list.");

  m.def(
      "plackett_luce",
      [](Vector<int64_t> offsets, Vector<int64_t> ranked) {
        return keep(new PlackettLuce(view(offsets), view(ranked)), offsets, ranked);
      },
      "offsets"_a, "ranked"_a, "-log p of the ranked rows of each list, best first.");
  m.def(
      "expected_gain",
      [](Vector<double> gains, double scale) { return keep(new ExpectedGain(view(gains), scale), gains); },
      "gains"_a, "scale"_a, "-E[gain] under p = exp(scale * score) / Z.");
  m.def(
      "best_likelihood", [](Vector<double> gains) { return keep(new BestLikelihood(view(gains)), gains); },
      "gains"_a, "-log p of the candidates of the largest gain, together.");
  m.def(
      "pairwise_logistic",
      [](Vector<int64_t> offsets, Vector<int64_t> better, Vector<int64_t> worse) {
        return keep(new PairwiseLogistic(view(offsets), view(better), view(worse)), offsets, better, worse);
      },
      "offsets"_a, "better"_a, "worse"_a, "sum over pairs of log(1 + exp(-(s_better - s_worse))).");

  m.def(
      "list_loss",
      [](const ListLoss& loss, Vector<int64_t> lists, Vector<int64_t> offsets, Vector<int32_t> columns,
         Vector<double> values, Vector<double> weights, int threads, bool gradient) {
        const Lists all = view_lists(lists, offsets, columns, values, weights.size());
        std::vector<double> slope(gradient ? weights.size() : 0);
        double total = 0;
        {
          nb::gil_scoped_release release;
          loss.check(all.offsets);
          total = list_loss(all, loss, view(weights), threads, slope);
        }
        return std::pair(total, to_numpy(std::move(slope)));
      },
      "loss"_a, "lists"_a, "offsets"_a, "columns"_a, "values"_a, "weights"_a, "threads"_a,
      "gradient"_a = true, "The sum of the losses of all lists, and its gradient (empty if not wanted).");

  m.def(
      "expected_stats",
      [](Vector<int64_t> lists, Vector<int64_t> offsets, Vector<int32_t> columns, Vector<double> values,
         Vector<double> weights, double scale, Matrix<double> stats, int threads) {
        const Lists all = view_lists(lists, offsets, columns, values, weights.size());
        if (view(stats).rows() != all.features.rows() && stats.shape(1) > 0)
          throw InputError(std::to_string(stats.shape(0)) + " rows of statistics for " +
                           std::to_string(all.features.rows()) + " candidates");
        std::vector<double> out(stats.shape(1));
        {
          nb::gil_scoped_release release;
          expected_stats(all, view(weights), scale, view(stats), threads, out);
        }
        return to_numpy(std::move(out));
      },
      "lists"_a, "offsets"_a, "columns"_a, "values"_a, "weights"_a, "scale"_a, "stats"_a, "threads"_a,
      "The sum over lists of expected statistics under p = exp(scale * score) / Z.");
});

}  // namespace tunesmith::bind
