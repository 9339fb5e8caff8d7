#include "tunesmith/forest_hope_fear.h"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include "forest.h"
#include "reference_length.h"

namespace tunesmith::bind {

namespace {

std::vector<double> copied(const Vector<double>& values) {
  return std::vector<double>(values.data(), values.data() + values.size());
}

std::unique_ptr<PackedHopeFearForest> pack_hope_fear_forest(const Forest& forest,
                                                            const Vector<int64_t>& columns, size_t width,
                                                            const Vector<uint8_t>& blob,
                                                            const Vector<int64_t>& offsets, size_t order,
                                                            const std::string& length) {
  const Texts references = texts(blob, offsets);
  const BleuOptions options{order, reference_length(length)};
  return without_gil([&] {
    return std::make_unique<PackedHopeFearForest>(forest, view(columns), width, references, options,
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

std::shared_ptr<HopeFearFinder> beam_finder(std::shared_ptr<ForestStore> forests, const TextArrays& arrays,
                                            std::shared_ptr<Scorer> scorer, const std::string& length,
                                            bool monotone, size_t beam) {
  std::vector<TextColumn> of_sentences(forests->size());
  for (const Texts& line : references(arrays, forests->size()))
    for (size_t i = 0; i < of_sentences.size(); ++i) of_sentences[i].add(line[i]);
  return std::make_shared<BeamFinder>(std::move(forests), std::move(of_sentences), std::move(scorer),
                                      reference_length(length), monotone, beam);
}

}  // namespace

static const Join join([](nb::module_& m) {
  nb::class_<PackedHopeFearForest>(m, "PackedHopeFearForest", "A compiled forest; see hope_fear_forest.h.")
      .def_prop_ro("edge_count",
                   [](const PackedHopeFearForest& forest) { return forest.view().edge_count(); })
      .def_prop_ro("bytes", [](const PackedHopeFearForest& forest) { return forest.arrays().bytes().size(); })
      .def(
          "best",
          [](const PackedHopeFearForest& packed, Vector<double> weights, Vector<double> thetas) {
            const HopeFearForest forest = packed.view();
            return to_python(
                without_gil([&] { return forest.best(forest.scores(view(weights)), view(thetas)); }));
          },
          "weights"_a, "thetas"_a,
          "Edges of the best derivation, how often each is used, and its statistics.");
  m.def("pack_hope_fear_forest", &pack_hope_fear_forest, "forest"_a, "columns"_a, "width"_a, "blob"_a,
        "offsets"_a, "order"_a, "reference_length"_a, "Compile a forest for learners of margins.");
  m.def(
      "background_slopes",
      [](const Scorer& scorer, Vector<double> background) {
        const auto* bleu = dynamic_cast<const BleuScorer*>(&scorer);
        if (bleu == nullptr) throw InputError("only BLEU has slopes");
        return to_numpy(background_slopes(*bleu, view(background)));
      },
      "scorer"_a, "background"_a, "The slopes of gain * size by words and by the matches of each order.");
  nb::class_<HopeFearFinder>(m, "HopeFearFinder", "Where hope and fear come from.");
  nb::class_<HopeFearForests>(m, "HopeFearForests", "Compiled forests of a corpus; see forest_hope_fear.h.")
      .def(nb::init<std::shared_ptr<const Scorer>, size_t, uint64_t, std::string>(), "scorer"_a, "width"_a,
           "memory_limit"_a, "folder"_a)
      .def(
          "add",
          [](HopeFearForests& self, PackedHopeFearForest& forest) {
            without_gil([&] { self.add(std::move(forest)); });
          },
          "forest"_a, "Take a forest over; the packed one is empty after it.")
      .def("__len__", &HopeFearForests::size)
      .def_prop_ro("edge_count", &HopeFearForests::edge_count)
      .def_prop_ro("bytes", &HopeFearForests::bytes)
      .def_prop_ro("bytes_on_disk", &HopeFearForests::bytes_on_disk)
      .def(
          "find",
          [](const HopeFearForests& self, const HopeFearFinder& finder, size_t sentence,
             Vector<double> scores, Vector<double> background, double sign) {
            return to_python(without_gil([&] {
              std::vector<std::byte> buffer;
              return finder.find(self.sentence(sentence, buffer), view(scores), view(background), sign);
            }));
          },
          "finder"_a, "sentence"_a, "scores"_a, "background"_a, "sign"_a,
          "Edges of hope (sign 1) or fear (-1), how often each is used, and the statistics.")
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
      [](std::shared_ptr<Scorer> scorer) -> std::shared_ptr<HopeFearFinder> {
        return std::make_shared<LinearFinder>(std::move(scorer));
      },
      "scorer"_a, "Hope and fear of a gain made linear at the background.");
  m.def("beam_finder", &beam_finder, "forests"_a, "references"_a, "scorer"_a, "reference_length"_a,
        "monotone"_a, "beam"_a, "Hope and fear of the gain itself, by beam search.");
});

}  // namespace tunesmith::bind
