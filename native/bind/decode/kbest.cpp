#include "bind/bind.h"
#include "bind/signals.h"
#include "tunesmith/decode/chart/decoder.h"
#include "tunesmith/decode/phrase/decoder.h"

namespace tunesmith::bind {

namespace {

/// `Options` are those of a decoder; whatever they say, the search keeps what k-best extraction needs.
template <class Decoder, class Options>
std::vector<decode::Kbest> kbest(const decode::WeightedModel& model, Options options,
                                 const std::vector<decode::DecoderRequest>& requests, uint32_t k, bool unique,
                                 int threads) {
  options.search.keep_all = options.search.keep_scores = true;
  const auto maker = [&] { return std::make_unique<Decoder>(model, options); };
  return decode::kbest_all(maker, requests, {.k = k, .unique = unique}, threads, check_signals);
}

}  // namespace

void bind_decode_kbest(nb::module_& m) {
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

}  // namespace tunesmith::bind
