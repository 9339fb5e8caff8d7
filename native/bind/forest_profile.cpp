#include "tunesmith/forest_profile.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>

#include "forest.h"
#include "pool_arrays.h"

namespace tunesmith::bind {

static const Join join([](nb::module_& m) {
  nb::class_<LineWinners>(m, "LineWinners", "The strings that win along a line.")
      .def_prop_ro(
          "lines", [](const LineWinners& self) { return self.lines; }, "The lines of all envelopes.")
      .def_prop_ro(
          "sentences", [](const LineWinners& self) { return to_numpy(std::vector(self.sentences)); },
          nb::rv_policy::move, "The sentences of strings that are to be measured.")
      .def_prop_ro(
          "lists", [](const LineWinners& self) { return to_numpy(std::vector(self.lists)); },
          nb::rv_policy::move, "Where the strings of each such sentence begin.")
      .def(
          "texts", [](const LineWinners& self) { return to_numpy(TextColumn(self.texts)); },
          "The strings that are to be measured.");

  nb::class_<ForestProfile>(m, "ForestProfile", "The corpus gain of forests along lines of weights.")
      .def(nb::init<std::shared_ptr<const ForestStore>, std::shared_ptr<const Scorer>>(), "forests"_a,
           "scorer"_a)
      .def_prop_ro(
          // A search may hold the lock while it waits for the GIL.
          "yield_count",
          [](const ForestProfile& self) { return without_gil([&] { return self.yield_count(); }); },
          "How many strings were measured.")
      .def(
          "scores",
          [](const ForestProfile& self, const Vector<double>& weights, int threads) {
            return to_numpy(without_gil([&] { return self.scores(view(weights), threads); }));
          },
          "weights"_a, "threads"_a, "The scores of the edges of all forests.")
      .def(
          "at",
          [](const ForestProfile& self, const Vector<double>& scores, int threads) {
            return without_gil([&] { return self.at(view(scores), threads); });
          },
          "scores"_a, "threads"_a, "The best strings under scores of all edges.")
      .def(
          "along",
          [](const ForestProfile& self, const Vector<double>& scores, const Vector<double>& direction,
             double low, double high, int threads) {
            return without_gil(
                [&] { return self.along(view(scores), view(direction), {low, high}, threads); });
          },
          "scores"_a, "direction"_a, "low"_a, "high"_a, "threads"_a,
          "The best strings along a line that begins at scores.")
      .def(
          "add",
          [](ForestProfile& self, const LineWinners& found, const Matrix<double>& stats) {
            without_gil([&] { self.add(found, view(stats)); });
          },
          "found"_a, "stats"_a, "Takes the statistics of the strings that were to be measured.")
      .def(
          "profile",
          [](const ForestProfile& self, const LineWinners& found) {
            Profile profile = without_gil([&] { return self.profile(found); });
            return std::pair(to_numpy(std::move(profile.thresholds)), to_numpy(std::move(profile.gains)));
          },
          "found"_a, "(thresholds, gains) along the line.");
});

}  // namespace tunesmith::bind
