#include "tunesmith/corpus_profile.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>

#include "bind.h"

namespace tunesmith::bind {

namespace {

using Curve = std::pair<NewVector<double>, NewVector<double>>;

Curve to_numpy(Profile&& profile) {
  return {bind::to_numpy(std::move(profile.thresholds)), bind::to_numpy(std::move(profile.gains))};
}

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<CorpusProfile>(m, "CorpusProfile", "The corpus gain along lines through weight space.")
      .def(
          "__init__",
          [](CorpusProfile* self, Vector<int64_t> lists, Vector<int64_t> offsets, Vector<int32_t> columns,
             Vector<double> values, size_t width, Matrix<double> stats, std::shared_ptr<Scorer> scorer,
             int threads) {
            nb::gil_scoped_release release;
            new (self) CorpusProfile({view(lists), {view(offsets), view(columns), view(values), width}},
                                     view(stats), std::move(scorer), threads);
          },
          "lists"_a.noconvert(), "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(),
          "width"_a, "stats"_a.noconvert(), "scorer"_a, "threads"_a, nb::keep_alive<1, 2>(),
          nb::keep_alive<1, 3>(), nb::keep_alive<1, 4>(), nb::keep_alive<1, 5>(), nb::keep_alive<1, 7>())
      .def(
          "along_axis",
          [](const CorpusProfile& self, Vector<double> scores, Vector<int64_t> winners, size_t feature) {
            Profile profile;
            {
              nb::gil_scoped_release release;
              profile = self.along_axis(view(scores), view(winners), feature);
            }
            return to_numpy(std::move(profile));
          },
          "scores"_a, "winners"_a, "feature"_a, "(thresholds, gains) along a feature's axis.")
      .def(
          "along",
          [](const CorpusProfile& self, Vector<double> scores, Vector<double> slopes) {
            Profile profile;
            {
              nb::gil_scoped_release release;
              profile = self.along(view(scores), view(slopes));
            }
            return to_numpy(std::move(profile));
          },
          "scores"_a, "slopes"_a, "(thresholds, gains) along a direction with these slopes.")
      .def(
          "moved",
          [](const CorpusProfile& self, Vector<double> scores, size_t feature, double length, double scale) {
            return bind::to_numpy(
                without_gil([&] { return self.moved(view(scores), feature, length, scale); }));
          },
          "scores"_a, "feature"_a, "length"_a, "scale"_a, "The scores after a step along a feature's axis.")
      .def(
          "winners",
          [](const CorpusProfile& self, Vector<double> scores) {
            std::vector<int64_t> winners;
            {
              nb::gil_scoped_release release;
              winners = self.winners(view(scores));
            }
            return bind::to_numpy(std::move(winners));
          },
          "scores"_a, "The candidate that wins each list.")
      .def(
          "gain",
          [](const CorpusProfile& self, Vector<int64_t> winners) {
            nb::gil_scoped_release release;
            return self.gain(view(winners));
          },
          "winners"_a, "The gain of chosen candidates, one a list.");
});

}  // namespace tunesmith::bind
