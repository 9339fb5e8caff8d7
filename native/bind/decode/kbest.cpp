#include <nanobind/stl/shared_ptr.h>

#include "bind/bind.h"
#include "bind/signals.h"
#include "tunesmith/decode/chart/decoder.h"
#include "tunesmith/decode/phrase/decoder.h"

namespace tunesmith::bind {

namespace {

using Requests = std::vector<decode::DecoderRequest>;

/// Makes decoders with `Options`; whatever they say, the search keeps all edges and their scores.
template <class Decoder, class Options>
decode::DecoderMaker keeping(const decode::WeightedModel& model, Options options) {
  options.search.keep_all = options.search.keep_scores = true;
  return [&model, options] { return std::make_unique<Decoder>(model, options); };
}

template <class Decoder, class Options>
std::vector<decode::Kbest> kbest(const decode::WeightedModel& model, const Options& options,
                                 const Requests& requests, uint32_t k, bool unique, int threads) {
  return decode::kbest_all(keeping<Decoder>(model, options), requests, {.k = k, .unique = unique}, threads,
                           check_signals);
}

template <class Decoder, class Options>
std::vector<decode::ScoredForest> scored_forests(const decode::WeightedModel& model, const Options& options,
                                                 const Requests& requests, int threads) {
  return decode::scored_forests(keeping<Decoder>(model, options), requests, threads, check_signals);
}

void add_kbest(nb::module_& m) {
  nb::class_<decode::Kbest>(m, "Kbest", "The k best translations of a sentence.")
      .def("__len__", &decode::Kbest::size)
      .def(
          "texts",
          [](const decode::Kbest& self) {
            const TextColumn& texts = self.texts();
            return std::make_pair(to_numpy(std::vector(texts.blob)), to_numpy(std::vector(texts.offsets)));
          },
          "The texts as one blob of bytes, and offsets into it.")
      .def("scores", [](const decode::Kbest& self) { return to_numpy(std::vector(self.scores())); })
      .def(
          "features",
          [](const decode::Kbest& self, const decode::WeightedModel& model, size_t candidate) {
            return self.features(model.model(), candidate);
          },
          "model"_a, "candidate"_a, nb::call_guard<GilReleased>(),
          "The unweighted features of a candidate by name.");
  m.def("search_kbest", &kbest<decode::phrase::PhraseDecoder, decode::phrase::PhraseDecoderOptions>,
        "model"_a, "options"_a, "requests"_a, "k"_a, "unique"_a, "threads"_a, nb::call_guard<GilReleased>());
  m.def("chart_kbest", &kbest<decode::chart::ChartDecoder, decode::chart::ChartDecoderOptions>, "model"_a,
        "options"_a, "requests"_a, "k"_a, "unique"_a, "threads"_a, nb::call_guard<GilReleased>());
}

void add_scored_forest(nb::module_& m) {
  nb::class_<decode::ScoredForest>(m, "ScoredForest", "The derivations of a sentence, without features.")
      .def_prop_ro(
          "forest",
          [](const decode::ScoredForest& self) {
            return std::const_pointer_cast<forest::Forest>(self.forest());
          },
          nb::sig("def forest(self) -> Forest"))
      .def("scores", [](const decode::ScoredForest& self) { return to_numpy(std::vector(self.scores())); })
      .def(
          "features",
          [](const decode::ScoredForest& self, const decode::WeightedModel& model,
             const Vector<uint32_t>& edges) {
            return without_gil([&] { return self.features(model.model(), view(edges)); });
          },
          "model"_a, "edges"_a, "The unweighted features of a derivation by name.");
  m.def("search_scored_forests",
        &scored_forests<decode::phrase::PhraseDecoder, decode::phrase::PhraseDecoderOptions>, "model"_a,
        "options"_a, "requests"_a, "threads"_a, nb::call_guard<GilReleased>());
  m.def("chart_scored_forests",
        &scored_forests<decode::chart::ChartDecoder, decode::chart::ChartDecoderOptions>, "model"_a,
        "options"_a, "requests"_a, "threads"_a, nb::call_guard<GilReleased>());
}

}  // namespace

void bind_decode_kbest(nb::module_& m) {
  add_kbest(m);
  add_scored_forest(m);
}

}  // namespace tunesmith::bind
