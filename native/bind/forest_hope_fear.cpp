#include "tunesmith/forest_hope_fear.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include "forest.h"
#include "reference_length.h"

namespace tunesmith::bind {

namespace {

std::vector<double> copied(const Vector<double>& values) {
  return std::vector<double>(values.data(), values.data() + values.size());
}

std::shared_ptr<HopeFearForest> compile_hope_fear(const Forest& forest, const Vector<int64_t>& columns,
                                                  size_t width, const Vector<uint8_t>& blob,
                                                  const Vector<int64_t>& offsets, size_t order,
                                                  const std::string& length) {
  const Texts references = texts(blob, offsets);
  const BleuOptions options{order, reference_length(length)};
  return without_gil([&] {
    return std::make_shared<HopeFearForest>(forest, view(columns), width, references, options,
                                            RefinementLimits());
  });
}

/// Uses by edge, how often, and the statistics.
auto to_python(WeighedDerivation&& found) {
  std::vector<uint32_t> edges;
  std::vector<double> times;
  for (const auto& use : found.uses) edges.push_back(use.edge), times.push_back(use.times);
  return std::make_tuple(to_numpy(std::move(edges)), to_numpy(std::move(times)),
                         to_numpy(std::move(found.stats)));
}

std::shared_ptr<HopeFearFinder> beam_finder(const std::vector<std::shared_ptr<Forest>>& forests,
                                            const TextArrays& arrays, std::shared_ptr<Scorer> scorer,
                                            const std::string& length, bool monotone, size_t beam) {
  const std::vector<Texts> lines = references(arrays, forests.size());
  std::vector<BeamFinder::Source> sources;
  for (size_t i = 0; i < forests.size(); ++i) {
    sources.push_back({forests[i], {}});
    for (const Texts& line : lines) sources.back().references.add(line[i]);
  }
  return std::make_shared<BeamFinder>(std::move(sources), std::move(scorer), reference_length(length),
                                      monotone, beam);
}

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<HopeFearForest>(m, "HopeFearForest", "See native/include/tunesmith/hope_fear_forest.h.")
      .def_prop_ro("edge_count", &HopeFearForest::edge_count)
      .def_prop_ro("bytes", &HopeFearForest::bytes)
      .def(
          "best",
          [](const HopeFearForest& forest, Vector<double> weights, Vector<double> thetas) {
            return to_python(
                without_gil([&] { return forest.best(forest.scores(view(weights)), view(thetas)); }));
          },
          "weights"_a, "thetas"_a,
          "Edges of the best derivation, how often each is used, and its statistics.");
  m.def("compile_hope_fear", &compile_hope_fear, "forest"_a, "columns"_a, "width"_a, "blob"_a, "offsets"_a,
        "order"_a, "reference_length"_a);
  m.def(
      "background_slopes",
      [](const Scorer& scorer, Vector<double> background) {
        const auto* bleu = dynamic_cast<const BleuScorer*>(&scorer);
        if (bleu == nullptr) throw InputError("only BLEU has slopes");
        return to_numpy(background_slopes(*bleu, view(background)));
      },
      "scorer"_a, "background"_a, "The slopes of gain * size by words and by the matches of each order.");
  nb::class_<HopeFearFinder>(m, "HopeFearFinder", "Where hope and fear come from.")
      .def(
          "find",
          [](const HopeFearFinder& finder, size_t sentence, Vector<double> scores, Vector<double> background,
             double sign) {
            return to_python(
                without_gil([&] { return finder.find(sentence, view(scores), view(background), sign); }));
          },
          "sentence"_a, "scores"_a, "background"_a, "sign"_a,
          "Edges of hope (sign 1) or fear (-1), how often each is used, and the statistics.");
  nb::class_<HopeFearForests>(m, "HopeFearForests", "See native/include/tunesmith/forest_hope_fear.h.")
      .def(nb::init<HopeFearForests::Sentences, std::shared_ptr<const Scorer>>(), "sentences"_a, "scorer"_a)
      .def(
          "statistics",
          [](const HopeFearForests& forests, Vector<double> weights, int threads) {
            return to_numpy(without_gil([&] { return forests.statistics(view(weights), threads); }),
                            forests.scorer().width());
          },
          "weights"_a, "threads"_a)
      .def(
          "learn",
          [](const HopeFearForests& forests, const HopeFearFinder& finder, Vector<int64_t> order,
             double aggressiveness, double decay, Vector<double> lower, Vector<double> upper,
             Vector<double> weights, Vector<double> drift, Vector<double> background, int64_t steps,
             int threads) {
            HopeFearState state{copied(weights), copied(drift), copied(background), steps, 0};
            without_gil([&] {
              forests.pass(finder, view(order), aggressiveness, decay, {view(lower), view(upper)}, threads,
                           state);
            });
            return std::make_tuple(to_numpy(std::move(state.weights)), to_numpy(std::move(state.drift)),
                                   to_numpy(std::move(state.background)), state.steps, state.updates);
          },
          "finder"_a, "order"_a, "aggressiveness"_a, "decay"_a, "lower"_a, "upper"_a, "weights"_a, "drift"_a,
          "background"_a, "steps"_a, "threads"_a,
          "One pass of MIRA; returns weights, drift, background, steps and the number of updates.");
  m.def(
      "linear_finder",
      [](const HopeFearForests& forests) -> std::shared_ptr<HopeFearFinder> {
        return std::make_shared<LinearFinder>(forests);
      },
      "forests"_a, nb::keep_alive<0, 1>(), "Hope and fear of a gain made linear at the background.");
  m.def("beam_finder", &beam_finder, "forests"_a, "references"_a, "scorer"_a, "reference_length"_a,
        "monotone"_a, "beam"_a, "Hope and fear of the gain itself, by beam search.");
});

}  // namespace tunesmith::bind
