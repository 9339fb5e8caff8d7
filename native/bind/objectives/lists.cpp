#include "bind/candidates/lists.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include "bind/bind.h"
#include "tunesmith/objectives/best_likelihood.h"
#include "tunesmith/objectives/corpus_profile.h"
#include "tunesmith/objectives/expected_gain.h"
#include "tunesmith/objectives/hope_fear.h"
#include "tunesmith/objectives/hope_fear_choice.h"
#include "tunesmith/objectives/list_loss.h"
#include "tunesmith/objectives/pairwise.h"
#include "tunesmith/objectives/plackett_luce.h"

namespace tunesmith::bind {

namespace {

/// A loss that keeps its arrays alive.
template <class... Arrays>
std::shared_ptr<objectives::ListLoss> keep(objectives::ListLoss* loss, Arrays... arrays) {
  return std::shared_ptr<objectives::ListLoss>(
      loss, [arrays...](objectives::ListLoss* pointer) { delete pointer; });
}

void add_list_loss(nb::module_& m) {
  nb::class_<objectives::ListLoss>(m, "ListLoss", "A loss of the model scores of one candidate list.");

  m.def(
      "plackett_luce",
      [](Vector<int64_t> offsets, Vector<int64_t> ranked) {
        return keep(new objectives::PlackettLuce(view(offsets), view(ranked)), offsets, ranked);
      },
      "offsets"_a, "ranked"_a, "-log p of the ranked rows of each list, best first.");
  m.def(
      "expected_gain",
      [](Vector<double> gains, double scale) {
        return keep(new objectives::ExpectedGain(view(gains), scale), gains);
      },
      "gains"_a, "scale"_a, "-E[gain] under p = exp(scale * score) / Z.");
  m.def(
      "best_likelihood",
      [](Vector<double> gains) { return keep(new objectives::BestLikelihood(view(gains)), gains); },
      "gains"_a, "-log p of the candidates of the largest gain, together.");
  m.def(
      "pairwise_logistic",
      [](Vector<int64_t> offsets, Vector<int64_t> better, Vector<int64_t> worse) {
        return keep(new objectives::PairwiseLogistic(view(offsets), view(better), view(worse)), offsets,
                    better, worse);
      },
      "offsets"_a, "better"_a, "worse"_a, "sum over pairs of log(1 + exp(-(s_better - s_worse))).");

  m.def(
      "list_loss",
      [](const objectives::ListLoss& loss, Vector<int64_t> lists, Vector<int64_t> offsets,
         Vector<int32_t> columns, Vector<double> values, Vector<double> weights, int threads, bool gradient) {
        const candidates::CandidateLists all = view_lists(lists, offsets, columns, values, weights.size());
        std::vector<double> slope(gradient ? weights.size() : 0);
        const double total = without_gil([&] {
          loss.check(all.offsets);
          return objectives::list_loss(all, loss, view(weights), threads, slope);
        });
        return std::pair(total, to_numpy(std::move(slope)));
      },
      "loss"_a, "lists"_a, "offsets"_a, "columns"_a, "values"_a, "weights"_a, "threads"_a,
      "gradient"_a = true, "The sum of the losses of all lists, and its gradient (empty if not requested).");

  m.def(
      "expected_stats",
      [](Vector<int64_t> lists, Vector<int64_t> offsets, Vector<int32_t> columns, Vector<double> values,
         Vector<double> weights, double scale, Matrix<double> stats, int threads) {
        const candidates::CandidateLists all = view_lists(lists, offsets, columns, values, weights.size());
        if (view(stats).rows() != all.features.rows() && stats.shape(1) > 0)
          throw InputError(std::to_string(stats.shape(0)) + " rows of statistics for " +
                           std::to_string(all.features.rows()) + " candidates");
        std::vector<double> out(stats.shape(1));
        without_gil(
            [&] { objectives::expected_stats(all, view(weights), scale, view(stats), threads, out); });
        return to_numpy(std::move(out));
      },
      "lists"_a, "offsets"_a, "columns"_a, "values"_a, "weights"_a, "scale"_a, "stats"_a, "threads"_a,
      "The sum over lists of expected statistics under p = exp(scale * score) / Z.");
}

void add_pairwise(nb::module_& m) {
  m.def(
      "sample_pairs",
      [](Vector<int64_t> lists, Vector<double> gains, size_t samples, size_t kept, double difference,
         uint64_t seed, int threads) {
        objectives::Pairs pairs = without_gil([&] {
          return objectives::sample_pairs(view(lists), view(gains), {samples, kept, difference, seed},
                                          threads);
        });
        return std::tuple(to_numpy(std::move(pairs.offsets)), to_numpy(std::move(pairs.better)),
                          to_numpy(std::move(pairs.worse)));
      },
      "lists"_a, "gains"_a, "samples"_a, "kept"_a, "difference"_a, "seed"_a, "threads"_a,
      "Sampled pairs: offsets by list, rows of the better and of the worse candidates.");
}

using Curve = std::pair<NewVector<double>, NewVector<double>>;

Curve to_curve(objectives::Profile&& profile) {
  return {to_numpy(std::move(profile.thresholds)), to_numpy(std::move(profile.gains))};
}

void add_corpus_profile(nb::module_& m) {
  nb::class_<objectives::CorpusProfile>(m, "CorpusProfile", "The corpus gain along lines in weight space.")
      .def(
          "__init__",
          [](objectives::CorpusProfile* self, Vector<int64_t> lists, Vector<int64_t> offsets,
             Vector<int32_t> columns, Vector<double> values, size_t width, Matrix<double> stats,
             std::shared_ptr<metrics::Scorer> scorer, int threads) {
            without_gil([&] {
              new (self) objectives::CorpusProfile(
                  {view(lists), {view(offsets), view(columns), view(values), width}}, view(stats),
                  std::move(scorer), threads);
            });
          },
          "lists"_a.noconvert(), "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(),
          "width"_a, "stats"_a.noconvert(), "scorer"_a, "threads"_a, nb::keep_alive<1, 2>(),
          nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(), nb::keep_alive<1, 7>())
      .def(
          "along_axis",
          [](const objectives::CorpusProfile& self, Vector<double> scores, Vector<int64_t> winners,
             size_t feature) {
            return to_curve(
                without_gil([&] { return self.along_axis(view(scores), view(winners), feature); }));
          },
          "scores"_a, "winners"_a, "feature"_a, "(thresholds, gains) along a feature's axis.")
      .def(
          "along",
          [](const objectives::CorpusProfile& self, Vector<double> scores, Vector<double> slopes) {
            return to_curve(without_gil([&] { return self.along(view(scores), view(slopes)); }));
          },
          "scores"_a, "slopes"_a, "(thresholds, gains) along a direction with these slopes.")
      .def(
          "moved",
          [](const objectives::CorpusProfile& self, Vector<double> scores, size_t feature, double length,
             double scale) {
            return to_numpy(without_gil([&] { return self.moved(view(scores), feature, length, scale); }));
          },
          "scores"_a, "feature"_a, "length"_a, "scale"_a, "The scores after a step along a feature's axis.")
      .def(
          "winners",
          [](const objectives::CorpusProfile& self, Vector<double> scores) {
            return to_numpy(without_gil([&] { return self.winners(view(scores)); }));
          },
          "scores"_a, "The candidate of each list with the highest score.")
      .def(
          "gain",
          [](const objectives::CorpusProfile& self, Vector<int64_t> winners) {
            return without_gil([&] { return self.gain(view(winners)); });
          },
          "winners"_a, "The gain of chosen candidates, one per list.");
}

void add_hope_fear(nb::module_& m) {
  m.def(
      "hope_fear_pass",
      [](Vector<int64_t> lists, Vector<int64_t> offsets, Vector<int32_t> columns, Vector<double> values,
         Matrix<double> stats, const metrics::Scorer& scorer, Vector<int64_t> order, double aggressiveness,
         double decay, Vector<double> lower, Vector<double> upper, Vector<double> weights,
         Vector<double> drift, Vector<double> background, int64_t steps) {
        const auto copy = [](const Vector<double>& v) {
          return std::vector<double>(v.data(), v.data() + v.size());
        };
        objectives::HopeFearState state{copy(weights), copy(drift), copy(background), steps, 0};
        without_gil([&] {
          objectives::hope_fear_pass(
              {view(lists), {view(offsets), view(columns), view(values), weights.size()}}, view(stats),
              scorer, view(order), aggressiveness, decay, {view(lower), view(upper)}, state);
        });
        return std::make_tuple(to_numpy(std::move(state.weights)), to_numpy(std::move(state.drift)),
                               to_numpy(std::move(state.background)), state.steps, state.updates);
      },
      "lists"_a, "offsets"_a, "columns"_a, "values"_a, "stats"_a, "scorer"_a, "order"_a, "aggressiveness"_a,
      "decay"_a, "lower"_a, "upper"_a, "weights"_a, "drift"_a, "background"_a, "steps"_a,
      "One pass of batch MIRA; returns weights, drift, background, steps and the number of updates.");
  m.def(
      "document_gains",
      [](Matrix<double> stats, const metrics::Scorer& scorer, Vector<double> background,
         double source_words) {
        if (stats.shape(1) != scorer.width() || background.size() != scorer.width())
          throw InputError("the statistics do not fit the metric");
        objectives::DocumentGains gains;
        without_gil([&] {
          gains.of(view(stats), 0, static_cast<int64_t>(stats.shape(0)), scorer, view(background),
                   source_words);
        });
        return to_numpy(gains.take());
      },
      "stats"_a, "scorer"_a, "background"_a, "source_words"_a = -1.0,
      "B of candidates in a pseudo-document: gain(background + stats) times its size, by the metric or "
      "given.");
  m.def(
      "choose_hope_fear",
      [](Vector<double> scores, Vector<double> gains) {
        const objectives::HopeFearChoice choice = objectives::choose_hope_fear(view(scores), view(gains));
        return std::make_tuple(choice.hope, choice.fear, choice.best, choice.loss, choice.violated);
      },
      "scores"_a, "gains"_a, "(hope, fear, best by score, loss, whether to update).");
}

}  // namespace

void bind_objectives_lists(nb::module_& m) {
  add_list_loss(m);
  add_pairwise(m);
  add_corpus_profile(m);
  add_hope_fear(m);
}

}  // namespace tunesmith::bind
