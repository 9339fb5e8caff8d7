#include <nanobind/stl/pair.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include "bind/candidates/arrays.h"
#include "bind/forest/names.h"
#include "bind/metrics/reference_length.h"
#include "tunesmith/objectives/forests/hope_fear.h"
#include "tunesmith/objectives/forests/ngram_forests.h"
#include "tunesmith/objectives/forests/profile.h"

namespace tunesmith::bind {

namespace forests = objectives::forests;

namespace {

using PackedHopeFear = forests::PackedForest<forests::HopeFearForest>;
using PackedNgrams = forests::PackedForest<forests::NgramForest>;

void add_forest_profile(nb::module_& m) {
  nb::class_<forests::LineWinners>(m, "LineWinners", "The strings that win along a line.")
      .def_prop_ro(
          "lines", [](const forests::LineWinners& self) { return self.lines; }, "The lines of all envelopes.")
      .def_prop_ro(
          "sentences", [](const forests::LineWinners& self) { return to_numpy(std::vector(self.sentences)); },
          nb::rv_policy::move, "The sentences of the strings to be measured.")
      .def_prop_ro(
          "lists", [](const forests::LineWinners& self) { return to_numpy(std::vector(self.lists)); },
          nb::rv_policy::move, "The first string of each such sentence, and the end.")
      .def(
          "texts", [](const forests::LineWinners& self) { return to_numpy(TextColumn(self.texts)); },
          "The strings to be measured.");

  nb::class_<forests::ForestProfile>(m, "ForestProfile", "The corpus gain of forests along lines of weights.")
      .def(nb::init<std::shared_ptr<const forest::ForestStore>, std::shared_ptr<const metrics::Scorer>>(),
           "forests"_a, "scorer"_a)
      .def_prop_ro(
          // A search may hold the lock while it waits for the GIL.
          "yield_count",
          [](const forests::ForestProfile& self) { return without_gil([&] { return self.yield_count(); }); },
          "Number of measured strings.")
      .def(
          "scores",
          [](const forests::ForestProfile& self, const Vector<double>& weights, int threads) {
            return to_numpy(without_gil([&] { return self.scores(view(weights), threads); }));
          },
          "weights"_a, "threads"_a, "Edge scores of all forests, concatenated.")
      .def(
          "at",
          [](const forests::ForestProfile& self, const Vector<double>& scores, int threads) {
            return without_gil([&] { return self.at(view(scores), threads); });
          },
          "scores"_a, "threads"_a, "The best strings under these edge scores.")
      .def(
          "along",
          [](const forests::ForestProfile& self, const Vector<double>& scores,
             const Vector<double>& direction, double low, double high, int threads) {
            return without_gil(
                [&] { return self.along(view(scores), view(direction), {low, high}, threads); });
          },
          "scores"_a, "direction"_a, "low"_a, "high"_a, "threads"_a,
          "The best strings along a line that begins at these scores.")
      .def(
          "add",
          [](forests::ForestProfile& self, const forests::LineWinners& found, const Matrix<double>& stats) {
            without_gil([&] { self.add(found, view(stats)); });
          },
          "found"_a, "stats"_a, "Store the statistics of the strings to be measured.")
      .def(
          "profile",
          [](const forests::ForestProfile& self, const forests::LineWinners& found) {
            objectives::Profile profile = without_gil([&] { return self.profile(found); });
            return std::pair(to_numpy(std::move(profile.thresholds)), to_numpy(std::move(profile.gains)));
          },
          "found"_a, "(thresholds, gains) along the line.");
}

std::vector<double> copied(const Vector<double>& values) {
  return std::vector<double>(values.data(), values.data() + values.size());
}

/// Sizes of a corpus of compiled forests.
template <class Forests>
void add_sizes(nb::class_<Forests>& type) {
  type.def("__len__", [](const Forests& self) { return self.size(); })
      .def_prop_ro("edge_count", [](const Forests& self) { return self.edge_count(); })
      .def_prop_ro("bytes", [](const Forests& self) { return self.bytes(); })
      .def_prop_ro("bytes_on_disk", [](const Forests& self) { return self.bytes_on_disk(); });
}

PackedHopeFear pack_hope_fear_forest(const forest::Forest& forest, const Vector<int64_t>& columns,
                                     size_t width, const Vector<uint8_t>& blob,
                                     const Vector<int64_t>& offsets, size_t order,
                                     const std::string& length) {
  const Texts references = texts(blob, offsets);
  const metrics::BleuOptions options{order, reference_length(length)};
  return without_gil([&] {
    return forests::pack_hope_fear_forest(forest, view(columns), width, references, options,
                                          forest::RefinementLimits());
  });
}

/// (edges, number of uses of each, statistics).
auto to_python(forests::WeighedDerivation&& found) {
  std::vector<uint32_t> edges;
  std::vector<double> times;
  for (const auto& use : found.uses) edges.push_back(use.edge), times.push_back(use.times);
  return std::make_tuple(to_numpy(std::move(edges)), to_numpy(std::move(times)),
                         to_numpy(std::move(found.stats)));
}

std::shared_ptr<forests::HopeFearFinder> beam_finder(std::shared_ptr<forest::ForestStore> forests,
                                                     const TextArrays& arrays,
                                                     std::shared_ptr<metrics::Scorer> scorer,
                                                     const std::string& length, bool monotone, size_t beam) {
  std::vector<TextColumn> of_sentences(forests->size());
  for (const Texts& line : references(arrays, forests->size()))
    for (size_t i = 0; i < of_sentences.size(); ++i) of_sentences[i].add(line[i]);
  return std::make_shared<forests::BeamFinder>(std::move(forests), std::move(of_sentences), std::move(scorer),
                                               reference_length(length), monotone, beam);
}

void add_forest_hope_fear(nb::module_& m) {
  nb::class_<PackedHopeFear>(m, "PackedHopeFearForest", "A compiled forest; see packed_hope_fear.h.")
      .def(
          "best",
          [](const PackedHopeFear& packed, Vector<double> weights, Vector<double> thetas) {
            const forests::HopeFearForest forest = packed.view();
            return to_python(
                without_gil([&] { return forest.best(forest.scores(view(weights)), view(thetas)); }));
          },
          "weights"_a, "thetas"_a, "(edges, uses, statistics) of the best derivation.");
  m.def("pack_hope_fear_forest", &pack_hope_fear_forest, "forest"_a, "columns"_a, "width"_a, "blob"_a,
        "offsets"_a, "order"_a, "reference_length"_a, "Compile a forest for large-margin learners.");
  m.def(
      "background_slopes",
      [](const metrics::Scorer& scorer, Vector<double> background) {
        return to_numpy(forests::background_slopes(scorer, view(background)));
      },
      "scorer"_a, "background"_a, "Derivatives of gain * size by words and by the matches of each order.");
  nb::class_<forests::HopeFearFinder>(m, "HopeFearFinder", "Finds hope and fear in a forest.");
  nb::class_<forests::HopeFearForests> corpus(
      m, "HopeFearForests", "Compiled forests of a corpus; see objectives/forests/hope_fear.h.");
  add_sizes(corpus);
  corpus
      .def(nb::init<std::shared_ptr<const metrics::Scorer>, size_t, uint64_t, std::string>(), "scorer"_a,
           "width"_a, "memory_limit"_a, "folder"_a)
      .def(
          "add",
          [](forests::HopeFearForests& self, PackedHopeFear& forest) {
            without_gil([&] { self.add(std::move(forest)); });
          },
          "forest"_a, "Move a forest in; the packed one is empty afterwards.")
      .def(
          "find",
          [](const forests::HopeFearForests& self, const forests::HopeFearFinder& finder, size_t sentence,
             Vector<double> scores, Vector<double> background, double sign) {
            return to_python(without_gil([&] {
              std::vector<std::byte> buffer;
              return finder.find(self.sentence(sentence, buffer), view(scores), view(background), sign);
            }));
          },
          "finder"_a, "sentence"_a, "scores"_a, "background"_a, "sign"_a,
          "(edges, uses, statistics) of hope (sign 1) or fear (-1).")
      .def(
          "statistics",
          [](const forests::HopeFearForests& forests, Vector<double> weights, int threads) {
            return to_numpy(without_gil([&] { return forests.statistics(view(weights), threads); }),
                            forests.scorer().width());
          },
          "weights"_a, "threads"_a)
      .def(
          "learn",
          [](const forests::HopeFearForests& forests, const forests::HopeFearFinder& finder,
             Vector<int64_t> order, double aggressiveness, double decay, Vector<double> lower,
             Vector<double> upper, Vector<double> weights, Vector<double> drift, Vector<double> background,
             int64_t steps, int threads) {
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
      [](std::shared_ptr<metrics::Scorer> scorer) -> std::shared_ptr<forests::HopeFearFinder> {
        return std::make_shared<forests::LinearFinder>(std::move(scorer));
      },
      "scorer"_a, "Hope and fear of a gain linearized at the background.");
  m.def("beam_finder", &beam_finder, "forests"_a, "references"_a, "scorer"_a, "reference_length"_a,
        "monotone"_a, "beam"_a, "Hope and fear of the gain itself, by beam search.");
}

void add_ngram_forests(nb::module_& m) {
  nb::class_<PackedNgrams>(m, "PackedNgramForest", "A compiled forest; see ngram_forest.h.");
  m.def(
      "pack_ngram_forest",
      [](const forest::Forest& forest, const Vector<uint32_t>& columns, const Vector<uint8_t>& blob,
         const Vector<int64_t>& offsets, size_t order, size_t max_nodes, size_t max_edges) {
        const Texts references = texts(blob, offsets);
        return without_gil([&] {
          return forests::pack_ngram_forest(forest, view(columns), references, order,
                                            forest::RefinementLimits{max_nodes, max_edges});
        });
      },
      "forest"_a, "columns"_a, "blob"_a, "offsets"_a, "order"_a, "max_nodes"_a, "max_edges"_a,
      "Compile a forest for learners of n-gram expectations.");
  nb::class_<forests::NgramForests> corpus(m, "NgramForests",
                                           "Compiled forests of a corpus; see ngram_forests.h.");
  add_sizes(corpus);
  corpus
      .def(nb::init<size_t, size_t, uint64_t, std::string>(), "order"_a, "width"_a, "memory_limit"_a,
           "folder"_a)
      .def(
          "add",
          [](forests::NgramForests& self, PackedNgrams& forest) {
            without_gil([&] { self.add(std::move(forest)); });
          },
          "forest"_a, "Move a forest in; the packed one is empty afterwards.")
      .def(
          "references",
          [](const forests::NgramForests& self) {
            return std::tuple(to_numpy(std::vector(self.offsets())), to_numpy(std::vector(self.lengths())),
                              to_numpy(std::vector(self.limits())),
                              to_numpy(std::vector(self.reference_lengths()), self.reference_count()));
          },
          "(offsets, lengths, limits, reference lengths)")
      .def(
          "expected",
          [](const forests::NgramForests& self, const Vector<double>& weights, double scale, int threads) {
            forests::ExpectedCounts found =
                without_gil([&] { return self.expected({view(weights), scale}, threads); });
            return std::tuple(to_numpy(std::move(found.counts)),
                              to_numpy(std::move(found.totals), self.order()),
                              to_numpy(std::move(found.entropy)));
          },
          "weights"_a, "scale"_a, "threads"_a, "(counts, totals, entropy)")
      .def(
          "reward",
          [](const forests::NgramForests& self, const Vector<double>& weights, double scale,
             const Vector<double>& counts, const Matrix<double>& totals, double temperature, int threads) {
            forests::ExpectedReward found = without_gil([&] {
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
