#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>

#include "bind/candidates/arrays.h"
#include "bind/forest/names.h"
#include "bind/metrics/reference_length.h"
#include "tunesmith/objectives/forests/hope_fear.h"
#include "tunesmith/objectives/forests/ngram_forests.h"
#include "tunesmith/objectives/forests/profile.h"

namespace tunesmith::bind {

namespace {

void add_forest_profile(nb::module_& m) {
  nb::class_<objectives::forests::LineWinners>(m, "LineWinners", "The strings that win along a line.")
      .def_prop_ro(
          "lines", [](const objectives::forests::LineWinners& self) { return self.lines; },
          "The lines of all envelopes.")
      .def_prop_ro(
          "sentences",
          [](const objectives::forests::LineWinners& self) { return to_numpy(std::vector(self.sentences)); },
          nb::rv_policy::move, "The sentences of strings that are to be measured.")
      .def_prop_ro(
          "lists",
          [](const objectives::forests::LineWinners& self) { return to_numpy(std::vector(self.lists)); },
          nb::rv_policy::move, "Where the strings of each such sentence begin.")
      .def(
          "texts",
          [](const objectives::forests::LineWinners& self) { return to_numpy(TextColumn(self.texts)); },
          "The strings that are to be measured.");

  nb::class_<objectives::forests::ForestProfile>(m, "ForestProfile",
                                                 "The corpus gain of forests along lines of weights.")
      .def(nb::init<std::shared_ptr<const forest::ForestStore>, std::shared_ptr<const metrics::Scorer>>(),
           "forests"_a, "scorer"_a)
      .def_prop_ro(
          // A search may hold the lock while it waits for the GIL.
          "yield_count",
          [](const objectives::forests::ForestProfile& self) {
            return without_gil([&] { return self.yield_count(); });
          },
          "How many strings were measured.")
      .def(
          "scores",
          [](const objectives::forests::ForestProfile& self, const Vector<double>& weights, int threads) {
            return to_numpy(without_gil([&] { return self.scores(view(weights), threads); }));
          },
          "weights"_a, "threads"_a, "The scores of the edges of all forests.")
      .def(
          "at",
          [](const objectives::forests::ForestProfile& self, const Vector<double>& scores, int threads) {
            return without_gil([&] { return self.at(view(scores), threads); });
          },
          "scores"_a, "threads"_a, "The best strings under scores of all edges.")
      .def(
          "along",
          [](const objectives::forests::ForestProfile& self, const Vector<double>& scores,
             const Vector<double>& direction, double low, double high, int threads) {
            return without_gil(
                [&] { return self.along(view(scores), view(direction), {low, high}, threads); });
          },
          "scores"_a, "direction"_a, "low"_a, "high"_a, "threads"_a,
          "The best strings along a line that begins at scores.")
      .def(
          "add",
          [](objectives::forests::ForestProfile& self, const objectives::forests::LineWinners& found,
             const Matrix<double>& stats) { without_gil([&] { self.add(found, view(stats)); }); },
          "found"_a, "stats"_a, "Takes the statistics of the strings that were to be measured.")
      .def(
          "profile",
          [](const objectives::forests::ForestProfile& self, const objectives::forests::LineWinners& found) {
            objectives::Profile profile = without_gil([&] { return self.profile(found); });
            return std::pair(to_numpy(std::move(profile.thresholds)), to_numpy(std::move(profile.gains)));
          },
          "found"_a, "(thresholds, gains) along the line.");
}

std::vector<double> copied(const Vector<double>& values) {
  return std::vector<double>(values.data(), values.data() + values.size());
}

std::unique_ptr<objectives::forests::PackedHopeFearForest> pack_hope_fear_forest(
    const forest::Forest& forest, const Vector<int64_t>& columns, size_t width, const Vector<uint8_t>& blob,
    const Vector<int64_t>& offsets, size_t order, const std::string& length) {
  const Texts references = texts(blob, offsets);
  const metrics::BleuOptions options{order, reference_length(length)};
  return without_gil([&] {
    return std::make_unique<objectives::forests::PackedHopeFearForest>(
        forest, view(columns), width, references, options, forest::RefinementLimits());
  });
}

/// Uses by edge, how often, and the statistics.
auto to_python(objectives::forests::WeighedDerivation&& found) {
  std::vector<uint32_t> edges;
  std::vector<double> times;
  for (const auto& use : found.uses) edges.push_back(use.edge), times.push_back(use.times);
  return std::make_tuple(to_numpy(std::move(edges)), to_numpy(std::move(times)),
                         to_numpy(std::move(found.stats)));
}

std::shared_ptr<objectives::forests::HopeFearFinder> beam_finder(std::shared_ptr<forest::ForestStore> forests,
                                                                 const TextArrays& arrays,
                                                                 std::shared_ptr<metrics::Scorer> scorer,
                                                                 const std::string& length, bool monotone,
                                                                 size_t beam) {
  std::vector<TextColumn> of_sentences(forests->size());
  for (const Texts& line : references(arrays, forests->size()))
    for (size_t i = 0; i < of_sentences.size(); ++i) of_sentences[i].add(line[i]);
  return std::make_shared<objectives::forests::BeamFinder>(std::move(forests), std::move(of_sentences),
                                                           std::move(scorer), reference_length(length),
                                                           monotone, beam);
}

void add_forest_hope_fear(nb::module_& m) {
  nb::class_<objectives::forests::PackedHopeFearForest>(m, "PackedHopeFearForest",
                                                        "A compiled forest; see hope_fear_forest.h.")
      .def_prop_ro(
          "edge_count",
          [](const objectives::forests::PackedHopeFearForest& forest) { return forest.view().edge_count(); })
      .def_prop_ro("bytes",
                   [](const objectives::forests::PackedHopeFearForest& forest) {
                     return forest.arrays().bytes().size();
                   })
      .def(
          "best",
          [](const objectives::forests::PackedHopeFearForest& packed, Vector<double> weights,
             Vector<double> thetas) {
            const objectives::forests::HopeFearForest forest = packed.view();
            return to_python(
                without_gil([&] { return forest.best(forest.scores(view(weights)), view(thetas)); }));
          },
          "weights"_a, "thetas"_a,
          "Edges of the best derivation, how often each is used, and its statistics.");
  m.def("pack_hope_fear_forest", &pack_hope_fear_forest, "forest"_a, "columns"_a, "width"_a, "blob"_a,
        "offsets"_a, "order"_a, "reference_length"_a, "Compile a forest for learners of margins.");
  m.def(
      "background_slopes",
      [](const metrics::Scorer& scorer, Vector<double> background) {
        const auto* bleu = dynamic_cast<const metrics::BleuScorer*>(&scorer);
        if (bleu == nullptr) throw InputError("only BLEU has slopes");
        return to_numpy(objectives::forests::background_slopes(*bleu, view(background)));
      },
      "scorer"_a, "background"_a, "The slopes of gain * size by words and by the matches of each order.");
  nb::class_<objectives::forests::HopeFearFinder>(m, "HopeFearFinder", "Where hope and fear come from.");
  nb::class_<objectives::forests::HopeFearForests>(m, "HopeFearForests",
                                                   "Compiled forests of a corpus; see forest_hope_fear.h.")
      .def(nb::init<std::shared_ptr<const metrics::Scorer>, size_t, uint64_t, std::string>(), "scorer"_a,
           "width"_a, "memory_limit"_a, "folder"_a)
      .def(
          "add",
          [](objectives::forests::HopeFearForests& self, objectives::forests::PackedHopeFearForest& forest) {
            without_gil([&] { self.add(std::move(forest)); });
          },
          "forest"_a, "Take a forest over; the packed one is empty after it.")
      .def("__len__", &objectives::forests::HopeFearForests::size)
      .def_prop_ro("edge_count", &objectives::forests::HopeFearForests::edge_count)
      .def_prop_ro("bytes", &objectives::forests::HopeFearForests::bytes)
      .def_prop_ro("bytes_on_disk", &objectives::forests::HopeFearForests::bytes_on_disk)
      .def(
          "find",
          [](const objectives::forests::HopeFearForests& self,
             const objectives::forests::HopeFearFinder& finder, size_t sentence, Vector<double> scores,
             Vector<double> background, double sign) {
            return to_python(without_gil([&] {
              std::vector<std::byte> buffer;
              return finder.find(self.sentence(sentence, buffer), view(scores), view(background), sign);
            }));
          },
          "finder"_a, "sentence"_a, "scores"_a, "background"_a, "sign"_a,
          "Edges of hope (sign 1) or fear (-1), how often each is used, and the statistics.")
      .def(
          "statistics",
          [](const objectives::forests::HopeFearForests& forests, Vector<double> weights, int threads) {
            return to_numpy(without_gil([&] { return forests.statistics(view(weights), threads); }),
                            forests.scorer().width());
          },
          "weights"_a, "threads"_a)
      .def(
          "learn",
          [](const objectives::forests::HopeFearForests& forests,
             const objectives::forests::HopeFearFinder& finder, Vector<int64_t> order, double aggressiveness,
             double decay, Vector<double> lower, Vector<double> upper, Vector<double> weights,
             Vector<double> drift, Vector<double> background, int64_t steps, int threads) {
            objectives::HopeFearState state{copied(weights), copied(drift), copied(background), steps, 0};
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
      [](std::shared_ptr<metrics::Scorer> scorer) -> std::shared_ptr<objectives::forests::HopeFearFinder> {
        return std::make_shared<objectives::forests::LinearFinder>(std::move(scorer));
      },
      "scorer"_a, "Hope and fear of a gain made linear at the background.");
  m.def("beam_finder", &beam_finder, "forests"_a, "references"_a, "scorer"_a, "reference_length"_a,
        "monotone"_a, "beam"_a, "Hope and fear of the gain itself, by beam search.");
}

void add_ngram_forests(nb::module_& m) {
  nb::class_<objectives::forests::PackedNgramForest>(m, "PackedNgramForest",
                                                     "A compiled forest; see ngram_forest.h.")
      .def_prop_ro(
          "edge_count",
          [](const objectives::forests::PackedNgramForest& forest) { return forest.view().edge_count(); })
      .def_prop_ro("bytes", [](const objectives::forests::PackedNgramForest& forest) {
        return forest.arrays().bytes().size();
      });
  m.def(
      "pack_ngram_forest",
      [](const forest::Forest& forest, const Vector<uint32_t>& columns, const Vector<uint8_t>& blob,
         const Vector<int64_t>& offsets, size_t order, size_t max_nodes, size_t max_edges) {
        const Texts references = texts(blob, offsets);
        return without_gil([&] {
          return std::make_unique<objectives::forests::PackedNgramForest>(
              forest, view(columns), references, order, forest::RefinementLimits{max_nodes, max_edges});
        });
      },
      "forest"_a, "columns"_a, "blob"_a, "offsets"_a, "order"_a, "max_nodes"_a, "max_edges"_a,
      "Compile a forest for learners of n-gram expectations.");
  nb::class_<objectives::forests::NgramForests>(m, "NgramForests",
                                                "Compiled forests of a corpus; see ngram_forests.h.")
      .def(nb::init<size_t, size_t, uint64_t, std::string>(), "order"_a, "width"_a, "memory_limit"_a,
           "folder"_a)
      .def(
          "add",
          [](objectives::forests::NgramForests& self, objectives::forests::PackedNgramForest& forest) {
            without_gil([&] { self.add(std::move(forest)); });
          },
          "forest"_a, "Take a forest over; the packed one is empty after it.")
      .def("__len__", &objectives::forests::NgramForests::size)
      .def_prop_ro("edge_count", &objectives::forests::NgramForests::edge_count)
      .def_prop_ro("bytes", &objectives::forests::NgramForests::bytes)
      .def_prop_ro("bytes_on_disk", &objectives::forests::NgramForests::bytes_on_disk)
      .def(
          "references",
          [](const objectives::forests::NgramForests& self) {
            return std::tuple(to_numpy(std::vector(self.offsets())), to_numpy(std::vector(self.lengths())),
                              to_numpy(std::vector(self.limits())),
                              to_numpy(std::vector(self.reference_lengths()), self.reference_count()));
          },
          "(offsets, lengths, limits, reference lengths)")
      .def(
          "expected",
          [](const objectives::forests::NgramForests& self, const Vector<double>& weights, double scale,
             int threads) {
            objectives::forests::ExpectedCounts found =
                without_gil([&] { return self.expected({view(weights), scale}, threads); });
            return std::tuple(to_numpy(std::move(found.counts)),
                              to_numpy(std::move(found.totals), self.order()),
                              to_numpy(std::move(found.entropy)));
          },
          "weights"_a, "scale"_a, "threads"_a, "(counts, totals, entropy)")
      .def(
          "reward",
          [](const objectives::forests::NgramForests& self, const Vector<double>& weights, double scale,
             const Vector<double>& counts, const Matrix<double>& totals, double temperature, int threads) {
            objectives::forests::ExpectedReward found = without_gil([&] {
              return self.reward({view(weights), scale}, {view(counts), {totals.data(), totals.size()}},
                                 temperature, threads);
            });
            return std::tuple(found.mean, found.entropy, to_numpy(std::move(found.gradient)));
          },
          "weights"_a, "scale"_a, "counts"_a, "totals"_a, "temperature"_a, "threads"_a,
          "(E[r], H, gradient of E[r] + temperature x H)");
}

}  // namespace

void bind_objectives_forests(nb::module_& m) {
  add_forest_profile(m);
  add_forest_hope_fear(m);
  add_ngram_forests(m);
}

}  // namespace tunesmith::bind
