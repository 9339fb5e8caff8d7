#include "tunesmith/lm/mixture.h"

#include "bind/bind.h"
#include "tunesmith/lm/arpa_writer.h"
#include "tunesmith/lm/unhashing.h"

namespace tunesmith::bind {

namespace {

void make_mixture(lm::LmMixture* self, const std::vector<lm::NgramLm*>& models,
                  const std::vector<double>& weights, int threads) {
  const std::vector<const lm::NgramLm*> given(models.begin(), models.end());
  without_gil([&] { new (self) lm::LmMixture(given, weights, threads); });
}

/// Calls send(sink) with a sink that writes text by calls of `write`.
template <class Send>
void write_as_text(const nb::callable& write, Send send) {
  lm::ArpaWriter writer([&](std::string_view text) {
    const GilHeld gil;
    write(nb::bytes(text.data(), text.size()));
  });
  without_gil([&] { send(writer); });
}

}  // namespace

void bind_lm_mixture(nb::module_& m) {
  nb::class_<lm::LmMixture>(m, "LmMixture", "Linear interpolation of language models, as one model.")
      .def("__init__", &make_mixture, "models"_a, "weights"_a, "threads"_a)
      .def_prop_ro("order", &lm::LmMixture::order)
      .def_prop_ro("counts", &lm::LmMixture::counts)
      .def("send", &lm::LmMixture::send, "sink"_a, nb::call_guard<GilReleased>())
      .def(
          "write_arpa",
          [](const lm::LmMixture& self, const nb::callable& write) {
            write_as_text(write, [&](lm::NgramSink& sink) { self.send(sink); });
          },
          "write"_a,
          nb::sig("def write_arpa(self, write: collections.abc.Callable[[bytes], object]) -> None"));
  m.def(
      "write_arpa",
      [](const lm::NgramLm& model, const nb::callable& write) {
        write_as_text(write, [&](lm::NgramSink& sink) { lm::send_ngrams(model, sink); });
      },
      "model"_a, "write"_a,
      nb::sig("def write_arpa(model: NgramLm, write: collections.abc.Callable[[bytes], object]) -> None"));
}

}  // namespace tunesmith::bind
